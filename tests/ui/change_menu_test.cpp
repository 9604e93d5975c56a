// What can be tried out where the hand is: the menus of right click and of the menu key.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/reading/change_offers.h"
#include "engine/model/what_if/change_text.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

std::string text_of_scene(OffscreenProgram& program) {
  return text_of(program.session().scene().what_if, {});
}

bool choose(OffscreenProgram& program, const std::string& on, const std::string& item) {
  return program.right_click(on) && program.click(item) && program.settle();
}

}  // namespace

TEST_CASE("a right click on a head, a weight, a block and a word offers what can be tried there") {
  const Home home;
  OffscreenProgram program({.threads = 1});
  REQUIRE(program.settle());
  REQUIRE(choose(program, "cross layer 2 head 2", "Mute cross head 2.2"));
  CHECK(text_of_scene(program) == "mute head cross 2.2");
  CHECK(program.visible("undo: decoder layer 2, cross head 2 muted"));
  CHECK(program.session().result()->trace->sentence_loss[0] >
        program.session().result()->untouched->sentence_loss[0]);
  // The same line takes it back.
  REQUIRE(choose(program, "cross layer 2 head 2", "Mute cross head 2.2"));
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(choose(program, "map: encoder layer 1 self-attention", "Mute this attention"));
  CHECK(text_of_scene(program) == "mute encoder 1");
  program.press(ui::Key::undo);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.empty());
  REQUIRE(choose(program, "cross layer 2 head 1 query 2 key 1", "Cut this weight"));
  CHECK(text_of_scene(program) == "cut cross 2.1 2 1");
  REQUIRE(program.click("Undo all"));
  REQUIRE(program.settle());
  REQUIRE(
      choose(program, "source chip 1", "Swap with “" + program.session().result()->source_words[2] + "”"));
  CHECK(text_of_scene(program) == "swap 1 2");
}

TEST_CASE("the menu key opens the menu of what is pinned") {
  const Home home;
  OffscreenProgram program({.threads = 1});
  REQUIRE(program.settle());
  Selection pinned = program.session().pinned();
  pinned.head = 2;
  program.session().apply({SetPin{pinned}});
  program.frame(2);
  program.press(ui::Key::menu);
  program.frame(2);
  REQUIRE(program.visible("Mute cross head 2.3"));
  program.press(ui::Key::escape);
  program.frame(2);
  CHECK_FALSE(program.visible("Mute cross head 2.3"));
}

TEST_CASE("each offer makes what it says, and is ticked while it is in force") {
  const SampleScene scene = make_sample_scene();
  const auto offers = [&](const Selection& selection) { return change_offers(scene.input(), selection); };
  const auto texts = [&](const Selection& selection) {
    std::vector<std::string> all;
    for (const Offer& each : offers(selection)) all.push_back(text_of(each.what_if, {}));
    return all;
  };
  const auto has = [](const std::vector<std::string>& all, const std::string& wanted) {
    return std::ranges::find(all, wanted) != all.end();
  };
  Selection weight{.kind = AttentionKind::decoder, .layer = 1, .head = 1, .query = 2, .key = 1};
  CHECK(has(texts(weight), "cut decoder 2.2 2 1"));
  CHECK(has(texts(weight), "set decoder 2.2 2 1 0.5 renormalise"));
  CHECK(has(texts(weight), "hide decoder 2 1"));
  CHECK(has(texts(weight), "mute head decoder 2.2 by mean"));
  Selection unit;
  unit.cell = CellRef{"encoder.layers.0.feed_forward.hidden", {0, 1, 3}};
  CHECK(texts(unit) == std::vector<std::string>{"mute unit encoder 1.4", "mute unit encoder 1.4 at 1"});
  Selection parameter;
  parameter.cell = CellRef{"encoder.layers.0.linear1.weight", {2, 1}};
  CHECK(has(texts(parameter), "weight encoder.layers.0.linear1.weight[2,1] = 0"));
  Selection candidate;
  candidate.cell = CellRef{"log_probabilities", {0, 1, 7}};
  const std::vector<int>& read = scene.input().result.trace->target_in.front();
  CHECK(texts(candidate) == std::vector<std::string>{"force " + std::to_string(read[1]) + " 7"});
  // Another sentence of the batch has no places of its own to change.
  weight.sentence = 1;
  CHECK(offers(weight).empty());
  // The mean over heads is no head.
  CHECK(offers({.kind = AttentionKind::cross, .layer = 0, .head = -1}).empty());
}

}  // namespace glassformer
