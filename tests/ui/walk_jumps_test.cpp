// Ways into the Walk: from a number anywhere, from a block of the map, from number to number.
#include "engine/model/steps/steps.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

std::string crumb(OffscreenProgram& program) {
  REQUIRE(program.settle());
  program.move({5, 5});
  program.frame(3);
  return program.text("breadcrumb");
}

TEST_CASE("how an attention weight was computed is two clicks away from the start") {
  SmallProgram program;
  const int layer = program.session().pinned().layer + 1;
  REQUIRE(program.click("cross layer " + std::to_string(layer) + " head 1 query 1 key 2"));
  REQUIRE(program.click("How was this computed?"));
  CHECK(contains(crumb(program), "Cross-attention > Head 1 > Softmax"));
  CHECK(program.program().shell().open_view() == "walk");
  REQUIRE(program.session().pinned().cell);
  CHECK(program.session().pinned().cell->index == std::vector<int>{0, 0, 1, 2});
  CHECK(contains(program.text("inspector name"), "cross_attn.weights"));
  CHECK_FALSE(program.visible("How was this computed?"));  // the step that is there
}

TEST_CASE("operands lead from number to number, back to where they were made") {
  SmallProgram program;
  program.session().apply({SetPin{selecting({}, {"encoder.layers.0.self_attn.scores", {0, 0, 1, 1}})}});
  program.program().shell().apply({OpenStep{{"encoder.layers.0.self_attn.scores", {0, 0, 1, 1}}}}, 0);
  CHECK(contains(crumb(program), "Scale"));
  std::string link;
  for (const std::string& label : program.labels())
    if (link.empty() && label.starts_with("inspector row")) link = label;
  REQUIRE(!link.empty());
  REQUIRE(program.click(link));
  CHECK_FALSE(contains(crumb(program), "Scale"));
  CHECK(program.program().shell().open_view() == "walk");
}

TEST_CASE("blocks of the map lead to their steps") {
  SmallProgram program;
  REQUIRE(program.click("map: decoder layer 1 feed-forward"));
  CHECK(contains(crumb(program), "Decoder, layer 1 > Feed-forward"));

  // With the Walk open, its list gives way to the map, and every block leads into the Walk.
  REQUIRE(program.click("Left column: Map"));
  CHECK(contains(crumb(program), "Decoder, layer 1 > Feed-forward"));
  REQUIRE(program.find("map: decoder layer 1 feed-forward"));
  CHECK(program.find("map: decoder layer 1 feed-forward")->selected);
  if (program.click("map: decoder layer 2")) program.frame(2);  // unfolds it where layers are folded
  REQUIRE(program.click("map: decoder layer 2 cross-attention"));
  CHECK(contains(crumb(program), "Decoder, layer 2 > Cross-attention"));
  CHECK(program.find("map: decoder layer 2 cross-attention")->selected);
  REQUIRE(program.click("map: decoder layer 2 add & norm 2"));
  CHECK(contains(crumb(program), "Add"));
  REQUIRE(program.click("map: source embedding"));
  CHECK(contains(crumb(program), "Look up"));
  REQUIRE(program.click("map: output"));
  CHECK(contains(crumb(program), "Logits"));
  CHECK(program.program().shell().open_view() == "walk");
}

TEST_CASE("the map unfolds the layer of the Walk's step, whatever was unfolded by hand before") {
  ScratchFolder scratch;
  SampleOptions deep = sample_options("decoder_layers 5");
  OffscreenProgram program({.model = model_folder(scratch, deep)});
  begin(program);
  program.program().shell().apply({OpenStep{{"decoder.layers.1.self_attn.query", {0, 0, 0, 0}}, false}}, 0);
  REQUIRE(program.settle());
  REQUIRE(program.click("Left column: Map"));
  CHECK(program.visible("map: decoder layer 2 feed-forward"));
  click(program, "map: decoder layer 4");
  CHECK(program.visible("map: decoder layer 4 feed-forward"));
  click(program, "Walk next");
  CHECK(program.visible("map: decoder layer 2 feed-forward"));
  CHECK_FALSE(program.visible("map: decoder layer 4 feed-forward"));
}

TEST_CASE("at every step its block is in sight on the map and marked, in low and narrow windows too") {
  ScratchFolder scratch;
  SampleOptions deep = sample_options("norm pre final_norm true encoder_layers 4 decoder_layers 4 heads 1");
  const std::string folder = model_folder(scratch, deep);
  for (const Point size : {Point{1600, 700}, Point{1024, 768}}) {
    CAPTURE(size.x);
    OffscreenProgram program({.model = folder, .size = size, .view = "walk"});
    begin(program);
    if (program.visible("Left column: Map")) REQUIRE(program.click("Left column: Map"));
    // Every seventh step represents all, on the way forward and on the way back.
    const int count = static_cast<int>(
        training_steps(program.session().snapshot()->config, {.weight = ChosenWeight{}}).size());
    for (int step = 0; step < count; ++step) {
      program.press(ui::Key::right);
      if (step % 7 != 0) continue;
      program.frame();
      std::string marked;
      for (const std::string& label : program.labels()) {
        if (!label.starts_with("map: ")) continue;
        const auto widget = program.find(label);
        if (!widget->selected) continue;
        marked = label;
        CHECK(widget->visible.height == doctest::Approx(widget->rect.height));
      }
      CHECK_MESSAGE(!marked.empty(), program.text("breadcrumb"));
    }
  }
}

TEST_CASE("Enter in the Walk works the pinned gradient out, and Backspace comes back to its step") {
  SmallProgram program;
  const CellRef cell{"decoder.layers.1.cross_attn.scores", {0, 1, 1, 1}, true};
  program.program().shell().apply({OpenStep{cell}}, 0);
  CHECK(contains(crumb(program), "Backward > Decoder, layer 2 > Cross-attention > Head 2"));
  program.press(ui::Key::enter);
  CHECK(program.program().shell().open_view() == "cell");
  CHECK(contains(crumb(program), "dS ["));
  CHECK(program.session().pinned().cell == cell);
  program.press(ui::Key::backspace);
  CHECK(contains(crumb(program), "Backward > Decoder, layer 2 > Cross-attention > Head 2"));
  CHECK(program.program().shell().open_view() == "walk");
}

TEST_CASE("gradients are made when the Walk opens, beside a result that stands") {
  SmallProgram program;
  CHECK(program.session().result()->gradients == nullptr);
  const auto trace = program.session().result()->trace;
  REQUIRE(program.click("View"));
  REQUIRE(program.click("Walk"));
  REQUIRE(program.settle());
  REQUIRE(program.session().result()->gradients);
  CHECK(program.session().result()->trace == trace);
  CHECK(!program.session().result()->gradients->trace.gradients.empty());

  // A new sentence brings its own.
  const auto before = program.session().result()->gradients;
  translate(program, "a small dog finds the book");
  program.frame(2);
  REQUIRE(program.session().result()->gradients);
  CHECK(program.session().result()->gradients != before);
  CHECK(program.session().result()->gradients->trace.source == program.session().result()->trace->source);
}

}  // namespace
}  // namespace glassformer
