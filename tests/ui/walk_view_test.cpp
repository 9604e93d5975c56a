#include <doctest/doctest.h>

#include <cmath>

#include "app/views/walk_view.h"
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

TEST_CASE("every kind of step is drawn inside the stage without overlaps") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps =
      training_steps(scene.snapshot->config, {.weight = ChosenWeight{"output_projection.weight"}});
  WalkView view;
  std::vector<bool> seen(kStepKinds, false);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (seen[static_cast<std::size_t>(steps[i].kind)]) continue;
    seen[static_cast<std::size_t>(steps[i].kind)] = true;
    CAPTURE(steps[i].name);
    view.go_to(static_cast<int>(i));
    auto found = complaints(view, scene.input());
    // One number has few shapes by its nature.
    if (steps[i].output.rows == Extent::one)
      std::erase_if(found, [](const std::string& line) { return line.ends_with("hardly any shape"); });
    CHECK_MESSAGE(found.empty(), joined(found));
  }
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
  stage.frames();
  CHECK(last_of(walk(stage).path(scene.input())) == "Tokenize");
  REQUIRE(stage.click("Walk next"));
  CHECK(last_of(walk(stage).path(scene.input())) == "Look up");
  REQUIRE(stage.click("Walk next"));
  REQUIRE(stage.click("Walk back"));
  CHECK(stage.state() == "step 1");
}

TEST_CASE("B goes to the first backward step, then on") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("walk", scene);
  stage.frames();
  Commands commands;
  REQUIRE(stage.view().key('b', scene.input(), commands));
  CHECK(last_of(walk(stage).path(scene.input())) == "Loss, backward");
  REQUIRE(stage.view().key('b', scene.input(), commands));
  CHECK(last_of(walk(stage).path(scene.input())) == "Loss per token, backward");
}

TEST_CASE("the inspector tells a step's formula, its shapes and why it is there") {
  SampleScene scene = make_sample_scene();
  const std::vector<Step> steps = training_steps(scene.snapshot->config, {});
  WalkView view;
  for (std::size_t i = 0; i < steps.size(); i += 7) {
    view.go_to(static_cast<int>(i));
    const auto page = view.inspect(scene.input());
    REQUIRE(page);
    CHECK(page->meaning == explanation(steps[i]));
    CHECK(page->name == steps[i].output.name);
    CHECK(page->sections.size() == 2);
  }
}

TEST_CASE("playing moves on by itself and stops when asked") {
  SampleScene scene = make_sample_scene();
  ViewStage stage("walk", scene);
  stage.frames();
  REQUIRE(stage.click("Play the walk"));
  stage.frames(2);
  CHECK(stage.state().ends_with("playing"));
  CHECK(!stage.state().starts_with("step 0"));
  REQUIRE(stage.click("Pause the walk"));
  CHECK(!stage.state().ends_with("playing"));
}

}  // namespace
}  // namespace glassformer
