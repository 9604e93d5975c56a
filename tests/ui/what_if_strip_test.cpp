// Changes in words: the strip over the stage, and the field that takes them.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/theme/theme.h"
#include "app/views/what_if/what_if.h"
#include "engine/math/error.h"
#include "engine/model/what_if/change_text.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"
#include "tests/ui/what_if_scene.h"

namespace glassformer::what_if_test {

// ---- The strip over the stage: every change in words, as many as there is room for, and what is still to
// come.

// Parts of the strip that must not lie on one another, from the left.
std::vector<ui::Widget> parts_of_strip(OffscreenProgram& program) {
  std::vector<ui::Widget> parts;
  for (const std::string& label : program.labels()) {
    const bool chip = label.starts_with("change: ");
    if (chip || label == "what the strip is" || label == "more changes" || label == "Undo all" ||
        label == "what is shown")
      if (const auto found = program.find(label)) parts.push_back(*found);
  }
  std::ranges::sort(parts, {}, [](const ui::Widget& each) { return each.rect.x; });
  return parts;
}

// A few long words: forced words, words swapped, weights by their long names.
WhatIf many_changes(std::size_t count) {
  WhatIf many;
  Change force = change_of(ChangeKind::force_words);
  force.numbers = {6, 7, 8, 9, 6, 7, 8, 9, 6};
  many.changes.push_back(force);
  for (int i = 0; many.changes.size() < count; ++i) {
    Change edit = change_of(ChangeKind::edit_parameter);
    edit.parameter = i % 2 == 0 ? "decoder.layers.0.linear1.weight" : "encoder.layers.1.linear2.weight";
    edit.row = i;
    edit.column = i;
    edit.amount = 0.123456;
    many.changes.push_back(edit);
  }
  return many;
}

struct StripWindow {
  Point size;
  double scale;
};

bool any_label(OffscreenProgram& program, std::string_view begins) {
  return std::ranges::any_of(program.labels(),
                             [&](const std::string& label) { return label.starts_with(begins); });
}

TEST_CASE("however many changes there are and however long their words, nothing lies on anything else") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  for (const StripWindow& look :
       {StripWindow{{1600, 1000}, 1}, StripWindow{{1280, 800}, 1}, StripWindow{{1024, 768}, 1},
        StripWindow{{1024, 768}, 2}, StripWindow{{1024, 768}, 2.5}, StripWindow{{2560, 1440}, 2}}) {
    CAPTURE(look.size.x);
    CAPTURE(look.scale);
    OffscreenProgram program({.model = folder, .size = look.size, .scale = look.scale});
    begin(program);
    for (const std::size_t count : {1u, 2u, 3u, 5u, 12u}) {
      CAPTURE(count);
      program.session().apply({SetWhatIf{many_changes(count)}});
      for (const bool settled : {false, true}) {
        if (settled) REQUIRE(program.settle());
        program.frame(2);
        const std::vector<ui::Widget> parts = parts_of_strip(program);
        REQUIRE(parts.size() >= 3);
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
          CAPTURE(parts[i].label);
          CAPTURE(parts[i + 1].label);
          CHECK(parts[i].rect.right() <= parts[i + 1].rect.x);
        }
        // All are there: as chips, or counted.
        std::size_t chips = 0;
        for (const ui::Widget& each : parts) chips += each.label.starts_with("change: ") ? 1 : 0;
        const std::string more = program.text("more changes");
        if (chips == 0)
          CHECK(more.starts_with(std::to_string(count) + " change"));
        else if (chips < count)
          CHECK(more.starts_with("+ " + std::to_string(count - chips) + " more: "));
        else
          CHECK(more.empty());
      }
    }
    REQUIRE(program.click("Undo all"));
    CHECK(program.session().scene().what_if.empty());
  }
}

TEST_CASE("while a mean is being taken the strip says so, and the chip does not look refused") {
  SettledProgram program({.threads = 1});
  Change mean = mute_head(AttentionKind::decoder, 0, 2);
  mean.by = Replacement::mean;
  program.session().apply({SetWhatIf{{{mean}}}});
  bool said = false, struck = false;
  REQUIRE(program.wait([&] {
    struck = struck || any_label(program, "idle: ");
    said = said || contains(program.text("what is shown"), "the mean is being taken");
    return program.session().result()->scene.substitutes.means != nullptr;
  }));
  CHECK(said);
  CHECK_FALSE(struck);
  settle(program);
  CHECK_FALSE(program.find("what is shown"));
  CHECK_FALSE(any_label(program, "idle: "));
}

TEST_CASE("where no sentences are known to take a mean over, the chip says that it does nothing") {
  SmallProgram program;
  Change mean = mute_sub_block(value_in(AttentionKind::cross, 1, ValueKind::whole));
  mean.by = Replacement::mean;
  program.session().apply({SetWhatIf{{{mean}}}});
  settle(program);
  CHECK(any_label(program, "idle: "));
  CHECK_FALSE(program.find("what is shown"));
}

TEST_CASE("what was taken from a second of another length says so at its chip") {
  SettledProgram program({.threads = 1});
  Change taken = mute_head(AttentionKind::encoder, 0, 1);
  taken.by = Replacement::other;
  program.session().apply(
      {SetSource{"the red girl sees a car"}, Compare{OtherSentence{"the old boy sees a car"}}});
  REQUIRE(program.settle());
  program.session().apply({SetWhatIf{{{taken}}}});
  settle(program);
  CHECK_FALSE(any_label(program, "in part: "));
  CHECK_FALSE(any_label(program, "idle: "));
  program.session().apply({SetSource{"the girl sees a car"}});
  settle(program);
  CHECK(any_label(program, "in part: "));
  taken.row = 6;  // the place of <eos>, which the shorter one has not
  program.session().apply({SetWhatIf{{{taken}}}});
  settle(program);
  CHECK(any_label(program, "idle: "));
}

// ---- Any change by hand, in words: the field of the What if view.

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
  SettledProgram program({.view = "what-if", .threads = 1});
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
  SettledProgram program({.size = {1000, 560}, .threads = 1});
  program.session().apply({SetSource{"the tired girl sees a red car"}});
  REQUIRE(program.settle());
  CHECK_FALSE(program.visible("changed words"));
  Change row = edit_row(AttentionKind::cross, 1, 3, 4, {0, 0, 0, 0, 0, 1, 0, 0});
  program.session().apply({SetWhatIf{{{row}}}});
  REQUIRE(program.settle());
  REQUIRE(program.session().result()->translation != program.session().result()->plain->translation);
  CHECK(program.text("changed words") == "un");
}

// ---- The dots of the map: blocks that a what-if has changed, in columns of all widths.

// How many pixels round a block's upper right corner have the colour of what is changed.
int dot_at(OffscreenProgram& program, const std::string& label) {
  program.program().ui().scroll.reveal(label);
  program.frame(2);
  const auto block = program.find(label);
  REQUIRE(block);
  const std::vector<Color> pixels = program.pixels();
  const int width = static_cast<int>(program.size().x);
  int count = 0;
  for (int dy = -4; dy <= 6; ++dy)
    for (int dx = -6; dx <= 4; ++dx) {
      const int x = static_cast<int>(block->rect.right()) + dx, y = static_cast<int>(block->rect.y) + dy;
      if (x >= width || y >= static_cast<int>(program.size().y)) continue;
      count += pixels[static_cast<std::size_t>(y * width + x)] == light_theme().reference;
    }
  return count;
}

void change(OffscreenProgram& program, const WhatIf& what_if) {
  program.session().apply({SetWhatIf{what_if}});
  settle(program);
}

TEST_CASE("changed blocks have a dot on the map and on the small window's rail") {
  for (const Point size : {Point{1600, 1000}, Point{1280, 860}, Point{1024, 768}}) {
    CAPTURE(size.x);
    SmallProgram program({.size = size, .threads = 1});
    const std::string changed = "map: decoder layer 2 feed-forward",
                      other = "map: decoder layer 2 cross-attention",
                      norm = "map: decoder layer 2 add & norm 2";
    CHECK(dot_at(program, changed) == 0);
    change(program, {{mute_sub_block({BlockKind::feed_forward, ValueKind::whole, false, 1})}});
    CHECK(dot_at(program, changed) > 8);
    CHECK(dot_at(program, other) == 0);
    // A weight of a norm is its block's.
    Change gain = change_of(ChangeKind::edit_parameter);
    gain.parameter = "decoder.layers.1.norm2.weight";
    gain.row = 0, gain.column = 0, gain.amount = 2;
    change(program, {{gain}});
    CHECK(dot_at(program, changed) == 0);
    CHECK(dot_at(program, norm) > 8);
    // The words of the source are the embedding's.
    Change swap = change_of(ChangeKind::swap_words);
    swap.row = 0, swap.column = 1;
    change(program, {{swap}});
    CHECK(dot_at(program, "map: source embedding") > 8);
    CHECK(dot_at(program, "map: target embedding") == 0);
    change(program, {});
    CHECK(dot_at(program, "map: source embedding") == 0);
  }
}

TEST_CASE("a closed layer has the dot of what is changed in it") {
  ScratchFolder scratch;
  SampleOptions deep = sample_options("encoder_layers 6 decoder_layers 6");
  OffscreenProgram program({.model = model_folder(scratch, deep), .size = {1600, 900}});
  begin(program);
  const std::string layer = "map: decoder layer 5";
  const auto closed = program.find(layer);
  REQUIRE(closed);
  REQUIRE(closed->kind == "layer");
  CHECK(dot_at(program, layer) == 0);
  change(program, {{mute_head(AttentionKind::cross, 4, 1)}});
  CHECK(dot_at(program, layer) > 8);
  CHECK(dot_at(program, "map: decoder layer 4") == 0);
  CHECK(dot_at(program, "map: encoder layer 5") == 0);
}

}  // namespace glassformer::what_if_test
