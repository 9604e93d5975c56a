#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "app/views/walk/walk.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/view_stage.h"

namespace glassformer {
namespace {

const WalkView& walk(const ViewStage& stage) {
  return dynamic_cast<const WalkView&>(const_cast<ViewStage&>(stage).view());
}

std::string last_of(const std::vector<std::string>& path) {
  return path.back();
}

TEST_CASE("on the way back the map is told the block of the step, not that of the gradient it gives") {
  SampleScene scene = make_sample_scene();
  WalkView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {});
  int looked_at = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepPlace& place = steps[i].place;
    if (place.phase != StepPhase::backward || place.layer < 0) continue;
    CAPTURE(steps[i].name);
    view.go_to(static_cast<int>(i));
    const std::string layer =
        std::string(place.encoder ? "encoder" : "decoder") + ".layers." + std::to_string(place.layer) + ".";
    const std::string block = place.block == StepBlock::self_attention    ? "self_attn."
                              : place.block == StepBlock::cross_attention ? "cross_attn."
                              : place.block == StepBlock::feed_forward    ? "feed_forward."
                                                                          : "";
    CHECK(view.place(scene.input()).computing.starts_with(layer + block));
    ++looked_at;
  }
  CHECK(looked_at > 50);
}

TEST_CASE("what a step shows is what the engine recorded") {
  SampleScene scene = make_sample_scene();
  WalkView view;
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {.backward = false});
  const Trace& trace = *scene.result->trace;
  int compared = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != StepKind::softmax) continue;
    view.go_to(static_cast<int>(i));
    const std::vector<NumberTable> tables = view.numbers(scene.input());
    REQUIRE(tables.size() == 2);
    const Plane weights = trace.plane(steps[i].output.name, 0, steps[i].place.head);
    for (std::size_t row = 0; row < tables[1].values.size(); ++row) {
      for (std::size_t column = 0; column < tables[1].values[row].size(); ++column) {
        const double wanted = weights(static_cast<int>(row), static_cast<int>(column));
        CHECK(std::abs(tables[1].values[row][column] - wanted) < 1e-5);
        ++compared;
      }
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("Next, Back and the list go through the steps") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("walk", scene);
  CHECK(last_of(walk(stage).place(scene.input()).path) == "Tokenize");
  REQUIRE(stage.click("Walk next"));
  CHECK(last_of(walk(stage).place(scene.input()).path) == "Look up");
  REQUIRE(stage.click("Walk next"));
  REQUIRE(stage.click("Walk back"));
  CHECK(stage.state() == "step 1");
}

TEST_CASE("B goes to the first backward step, then on") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("walk", scene);
  Commands commands;
  REQUIRE(stage.view().key('b', scene.input(), commands));
  CHECK(last_of(walk(stage).place(scene.input()).path) == "Loss, backward");
  REQUIRE(stage.view().key('b', scene.input(), commands));
  CHECK(last_of(walk(stage).place(scene.input()).path) == "Loss per token, backward");
}

TEST_CASE("the inspector tells a step's formula, its shapes and why it is there") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {});
  WalkView view;
  for (std::size_t i = 0; i < steps.size(); i += 7) {
    view.go_to(static_cast<int>(i));
    const InspectorPage page = inspector_page(view, scene.input());
    CHECK(page.meaning == explanation(steps[i]));
    CHECK(page.name == steps[i].output.name);
    CHECK(page.sections.size() >= 2);  // and what the texts say besides
  }
}

// The step that the walk is at, by kind.
std::size_t first_of(const std::vector<Step>& steps, StepKind kind) {
  const auto found = std::ranges::find(steps, kind, &Step::kind);
  REQUIRE(found != steps.end());
  return static_cast<std::size_t>(found - steps.begin());
}

std::vector<Step> all_steps(const SampleScene& scene) {
  return training_steps(scene.snapshot->config, {.weight = ChosenWeight{"output_projection.bias"}});
}

TEST_CASE("an earlier step has lost Adam's moments, says so, and shows what it knows") {
  SampleScene scene = make_sample_scene();
  Snapshot later = *scene.snapshot;
  later.step = 900;
  scene.snapshot = std::make_shared<const Snapshot>(later);
  scene.looked_back = 900;
  WalkView view;
  const std::vector<Step> steps = all_steps(scene);
  view.go_to(static_cast<int>(first_of(steps, StepKind::first_moment)));
  CHECK(says(drawn(view, scene), "not kept"));
  const std::vector<NumberTable> tables = view.numbers(scene.input());
  REQUIRE(tables.size() == 2);  // g′ and β₁
  CHECK(tables[0].values[0][0] != 0);

  // Trained on, a finished model begins with both at 0 again.
  scene.looked_back.reset();
  WalkView anew;
  anew.go_to(static_cast<int>(first_of(steps, StepKind::first_moment)));
  const auto words = drawn(anew, scene);
  CHECK_FALSE(says(words, "not kept"));
  CHECK(says(words, "first step anew"));
  CHECK(anew.numbers(scene.input()).size() == 4);

  // At step 0 both are 0, and that is known.
  later.step = 0;
  scene.snapshot = std::make_shared<const Snapshot>(later);
  WalkView fresh;
  fresh.go_to(static_cast<int>(first_of(steps, StepKind::first_moment)));
  CHECK_FALSE(says(drawn(fresh, scene), "not kept"));
  CHECK(fresh.numbers(scene.input()).size() == 4);
}

TEST_CASE("a click on a weight makes it the one whose update is shown, until another is clicked") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = all_steps(scene);
  ViewStage stage("walk", scene);
  const std::size_t query = first_of(steps, StepKind::query), update = first_of(steps, StepKind::new_weight);
  REQUIRE(steps[query].inputs[1].symbol == "W_Q");
  dynamic_cast<WalkView&>(stage.view()).go_to(static_cast<int>(query));
  stage.frames();
  REQUIRE(stage.click("walk input 2 2 3"));  // transposed: row 3 of W_Q, column 2
  REQUIRE(scene.pinned.cell);
  CHECK(scene.pinned.cell->name == steps[query].inputs[1].name);
  stage.frames();
  scene.pin({});
  dynamic_cast<WalkView&>(stage.view()).go_to(static_cast<int>(update));
  const std::vector<NumberTable> tables = stage.view().numbers(scene.input());
  REQUIRE(!tables.empty());
  const Transformer<float>& weights = *scene.snapshot->weights;
  CHECK(tables[0].values[0][0] ==
        doctest::Approx(weights.encoder_layers[0].self_attention.input.weight(3, 2)));
}

TEST_CASE("on the way back every gradient has its value beside it") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = all_steps(scene);
  WalkView view;
  const std::size_t at = first_of(steps, StepKind::d_softmax);
  view.go_to(static_cast<int>(at));
  const std::vector<NumberTable> tables = view.numbers(scene.input());
  REQUIRE(tables.size() == 4);
  CHECK(tables[0].title.starts_with("A "));
  CHECK(tables[1].title.starts_with("dA "));
  CHECK(tables[2].title.starts_with("S′ "));
  CHECK(tables[3].title.starts_with("dS′ "));
  CHECK(says(drawn(view, scene), "Chain rule"));
}

TEST_CASE("a pinned cell shows what it was made of: marks on the operands, arrows, the numbers") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = all_steps(scene);
  WalkView view;
  const std::size_t at = first_of(steps, StepKind::dot_products);
  view.go_to(static_cast<int>(at));
  const std::size_t lines = drawn(view, scene).lines.size();
  scene.pin(selecting({}, {steps[at].output.name, {0, 0, 2, 3}}));
  CHECK(drawn(view, scene).lines.size() > lines);
  const InspectorPage page = inspector_page(view, scene.input());
  CHECK(page.name == steps[at].output.name);
  bool links = false;
  for (const InspectorSection& section : page.sections)
    for (const InspectorRow& row : section.rows) links = links || (row.link && row.link->is<OpenStep>());
  CHECK(links);
}

TEST_CASE("an arrow runs from each operand of a pinned cell all the way to the cell") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = all_steps(scene);
  WalkView view;
  using enum StepKind;
  for (const StepKind kind : {dot_products, softmax, d_softmax}) {
    const std::size_t at = first_of(steps, kind);
    const Step& step = steps[at];
    CAPTURE(step.name);
    view.go_to(static_cast<int>(at));
    scene.pin({});
    const std::size_t before = drawn(view, scene).lines.size();
    scene.pin(
        {.cell = CellRef{
             step.output.name, {0, step.output.head, 3, 2}, step.output.store == OperandStore::gradient}});
    const RecordingCanvas canvas = drawn(view, scene);
    const auto cell = live_part(canvas, "walk result 3 2");
    REQUIRE(cell);
    int arrived = 0;
    for (std::size_t i = 0; i < canvas.lines.size(); ++i) {
      const Point end = canvas.lines[i].back();
      // An arrow's shaft ends in its head, before the cell.
      arrived += canvas.strokes[i].width == 1.5f && cell->rect.inset(-12).contains(end);
    }
    CHECK(arrived >= static_cast<int>(kind == softmax ? 1 : 2));
    CHECK(canvas.lines.size() > before);
  }
}

TEST_CASE("a pinned gradient is checked by nudging its number, and the two agree") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = all_steps(scene);
  WalkView view;
  const std::size_t at = first_of(steps, StepKind::d_softmax);
  view.go_to(static_cast<int>(at));
  const Step& step = steps[at];
  scene.pin({.cell = CellRef{step.output.name, {0, step.output.head, 3, 2}, true}});
  const auto value_of = [&](const char* label) {
    for (int tries = 0; tries < 2000; ++tries) {
      const InspectorPage page = inspector_page(view, scene.input());
      for (const InspectorSection& section : page.sections)
        for (const InspectorRow& row : section.rows)
          if (row.label == label) return row.value;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::string("never");
  };
  const std::string difference = value_of("relative difference");
  CAPTURE(difference);
  const bool power = contains(difference, " × 10\u207B");
  CHECK((power || std::strtod(difference.c_str(), nullptr) < 0.001));
  CHECK(value_of("gradient").substr(0, 5) == value_of("difference / 0.0002").substr(0, 5));
}

TEST_CASE("long axes show a stretch that a slider moves, and say what the whole holds") {
  SampleScene scene = sample_scene("d_model 96 heads 2");
  ViewStage stage("walk", scene);
  const std::vector<Step> steps = all_steps(scene);
  dynamic_cast<WalkView&>(stage.view()).go_to(static_cast<int>(first_of(steps, StepKind::look_up)));
  stage.frames();
  CHECK(stage.has("walk result 0 0"));
  CHECK_FALSE(stage.has("walk result 0 40"));
  CHECK(says(drawn(stage.view(), scene), "32 of 96"));
  CHECK(says(drawn(stage.view(), scene), "all "));
  dynamic_cast<WalkView&>(stage.view())
      .open_cell({steps[first_of(steps, StepKind::look_up)].output.name, {0, 0, 70}});
  stage.frames(3);
  CHECK(stage.has("walk result 0 70"));
  CHECK_FALSE(stage.has("walk result 0 0"));
  CHECK(stage.has("Shown stretch of d"));
}

TEST_CASE("the rows of a softmax are summed up beside it") {
  SampleScene scene = make_sample_scene();
  WalkView view;
  view.go_to(static_cast<int>(first_of(all_steps(scene), StepKind::softmax)));
  const RecordingCanvas canvas = drawn(view, scene);
  REQUIRE(canvas.find("sum") != nullptr);
  const auto sums = std::ranges::count_if(canvas.texts, [](const auto& text) { return text.text == "1.00"; });
  CHECK(sums == static_cast<long>(scene.result->trace->source[0].size()));
}

TEST_CASE("words above the columns are whole, or indices stand there") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = all_steps(scene);
  WalkView view;
  for (const StepKind kind : {StepKind::dot_products, StepKind::softmax, StepKind::d_softmax}) {
    view.go_to(static_cast<int>(first_of(steps, kind)));
    for (const Point size : {Point{976, 483}, Point{1000, 660}}) {
      const RecordingCanvas canvas = drawn(view, scene, size);
      for (const auto& text : canvas.texts) CHECK_MESSAGE(!contains(text.text, "tir…"), text.text);
    }
  }
}

TEST_CASE("of a frozen table the update says that the weight stays, of another one it does not") {
  for (const std::string freeze : {"", "source", "target"}) {
    SampleScene scene = make_sample_scene();
    scene.run.options.freeze = freeze;
    for (const bool source : {false, true}) {
      WalkView view;
      scene.pinned.cell = CellRef{embedding_value(source, ValueKind::embedding_table), {4, 0}};
      const std::vector<Step> steps = all_steps(scene);
      view.go_to(static_cast<int>(steps.size()) - 1);
      const RecordingCanvas canvas = picture_of(view, scene.input(), {0, 0, 1000, 704}, true);
      std::string said;
      for (const auto& text : canvas.texts) said += text.text + " ";
      const bool frozen = freeze == (source ? "source" : "target");
      CHECK_MESSAGE((contains(said, "This table is frozen")) == frozen, said);
    }
  }
}

TEST_CASE("playing moves on by itself and stops when asked") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("walk", scene);
  REQUIRE(stage.click("Play the walk"));
  CHECK(stage.state().ends_with("playing"));
  CHECK(!stage.state().starts_with("step 0"));
  REQUIRE(stage.click("Pause the walk"));
  CHECK(!stage.state().ends_with("playing"));
}

}  // namespace
}  // namespace glassformer
