// Any change by hand, in words: the field of the What if view.
#include <doctest/doctest.h>

#include "app/views/what_if/what_if.h"
#include "engine/math/error.h"
#include "engine/model/what_if/change_text.h"
#include "tests/ui/what_if_scene.h"

namespace glassformer::what_if_test {

TEST_CASE("each example of the change language is read back and fits the open model, whatever that is") {
  for (const Config& config : {config_of(), config_of(NormPlace::pre, 1), config_of(NormPlace::post, 5)})
    for (const bool known : {true, false}) {
      SampleScene scene = scene_of({}, config);
      if (!known) scene.tokenizers = {};
      WhatIfWork aside;
      const ViewInput input = scene.input();
      const WhatIfScene shown = what_if_scene(input, {}, aside, true);
      const std::vector<std::string> examples = change_examples(shown);
      CHECK(examples.size() == 4);
      for (const std::string& each : examples) {
        CAPTURE(each);
        const WhatIf next = with_typed(shown, each);
        REQUIRE(next.changes.size() == 1);
        CHECK(misfit(next.changes.front(), {*shown.plain.model, static_cast<int>(shown.plain.source.size()),
                                            static_cast<int>(shown.plain.target_in.size())}) == "");
      }
    }
}

TEST_CASE("a change that is typed is added on Enter, and one that cannot be read changes nothing") {
  SmallProgram program({.view = "what-if"});
  const std::string field = "Change in words";
  const auto text = [&] { return text_of(program.session().scene().what_if, {}); };
  REQUIRE(program.type(field, "set cross 2.1 0 sees 0.5"));
  CHECK(text() == "none");
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(text() == "set cross 2.1 0 2 0.5");
  CHECK(program.text(field).empty());

  REQUIRE(program.type(field, "mute head cross 2.9"));
  press(program, ui::Key::enter);
  CHECK(program.text("change not read") == "This model has 4 heads; there is no head 9.");
  CHECK(text() == "set cross 2.1 0 2 0.5");
  REQUIRE(program.type(field, "mute encoder 1 from other"));
  press(program, ui::Key::enter);
  CHECK(program.text("change not read") == "Needs a second sentence beside: C.");
  REQUIRE(program.type(field, "cut cross 2.1"));
  press(program, ui::Key::enter);
  CHECK(
      program.text("change not read").starts_with("“cut cross 2.1”: expected a word or a place of the rows"));
  CHECK(text() == "set cross 2.1 0 2 0.5");

  REQUIRE(program.type(field, "force \"le zorg blig\""));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.text("unknown words of the change").starts_with("“zorg” and “blig” are not among the "));
  REQUIRE(program.type(field, "force \"le chat\""));
  CHECK_FALSE(program.visible("unknown words of the change"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK_FALSE(program.visible("unknown words of the change"));
  program.session().apply({Undo{}});
  program.session().apply({Undo{}});
  REQUIRE(program.settle());
  CHECK(text() == "set cross 2.1 0 2 0.5");

  // Letters are letters in it; behind Esc they are keys.
  type(program, field, "c");
  CHECK(program.session().compared() == nullptr);
  CHECK(program.text(field) == "c");
  press(program, ui::Key::escape);
  CHECK_FALSE(program.visible("change not read"));
  CHECK(program.text(field).empty());
  program.press('o');
  program.frame(1);
  CHECK(program.text(field).empty());
  program.release('o');

  // A word of the vocabulary takes the place of one; a weight of the model is set.
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());
  REQUIRE(program.type(field, "swap cat dog, weight encoder.layers.0.linear1.weight[0,1] = 0.25"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.changes.size() == 2);
  CHECK(program.session().result()->source_words[1] == "dog");
  CHECK(program.visible("undo: encoder layer 1, linear1.weight[0,1] = 0.25"));
  CHECK(program.visible("undo: “cat” becomes “dog”"));
}

TEST_CASE("while a change is computed the strip says that what is shown is of before") {
  OffscreenProgram program({.view = "what-if", .threads = 1});
  REQUIRE(program.settle());
  bool said = false;
  for (int head = 0; head < 4 && !said; ++head) {
    program.session().apply({SetWhatIf{{{mute_head(AttentionKind::cross, 1, head)}}}});
    program.frame(1);
    said = program.text("what is shown") == "of before the change: computing…";
    REQUIRE(program.settle());
    CHECK_FALSE(program.visible("what is shown"));
  }
  CHECK(said);
}

TEST_CASE("a translation in one line marks what is changed in it") {
  OffscreenProgram program({.size = {1000, 560}, .threads = 1});
  REQUIRE(program.settle());
  program.session().apply({SetSource{"the tired girl sees a red car"}});
  REQUIRE(program.settle());
  CHECK_FALSE(program.visible("changed words"));
  Change row = edit_row(AttentionKind::cross, 1, 3, 4, {0, 0, 0, 0, 0, 1, 0, 0});
  program.session().apply({SetWhatIf{{{row}}}});
  REQUIRE(program.settle());
  REQUIRE(program.session().result()->translation != program.session().result()->plain->translation);
  CHECK(program.text("changed words") == "un");
}

}  // namespace glassformer::what_if_test
