#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

using namespace glassformer;

namespace {

SampleScene run_at(long step) {
  SampleScene scene = make_sample_scene();
  scene.run.phase = RunPhase::training;
  scene.run.options.warmup = 400;
  scene.run.options.factor = 0.4;
  scene.run.planned_steps = 3200;
  scene.run.step = step;
  return scene;
}

// A curve or two are few shapes.
std::string complaints_but_shapes(ViewStage& stage, const SampleScene& scene) {
  std::vector<std::string> found = complaints(stage.view(), scene.input());
  std::erase_if(found, [](const std::string& line) { return line.ends_with("hardly any shape"); });
  return in_lines(found);
}

}  // namespace

TEST_CASE("the schedule is drawn whole at every size") {
  SampleScene scene = run_at(1240);
  ViewStage stage("schedule", scene);
  CHECK(complaints_but_shapes(stage, scene) == "");
}

TEST_CASE("the flag says where the run is and at what rate") {
  SampleScene scene = run_at(1240);
  ViewStage stage("schedule", scene);
  RecordingCanvas canvas;
  stage.view().picture(canvas, scene.input(), {0, 0, 1000, 660});
  const double rate = run_schedule(scene.run, scene.snapshot->config).rate(1240);
  CHECK(canvas.find("You are here · step " + format_count(1240) + " · rate " + format_short(rate)) !=
        nullptr);
}

TEST_CASE("the legend names all that a curve of the paper is made of, the width among it") {
  SampleScene scene = run_at(1240);
  ViewStage stage("schedule", scene);
  RecordingCanvas canvas(light_theme(), true);
  stage.view().picture(canvas, scene.input(), {0, 0, 1200, 760});
  const std::string words =
      "noam, warm-up 400, factor 0.4, d " + std::to_string(scene.snapshot->config.d_model);
  CHECK_MESSAGE(canvas.find(words) != nullptr, words);
  CHECK(stage.view().caption(scene.input()).find(words) != std::string::npos);
}

TEST_CASE("curves are added, shaped and removed") {
  SampleScene scene = run_at(100);
  ViewStage stage("schedule", scene);
  CHECK(stage.state() == "even, as proposed");
  REQUIRE(stage.click("Add a curve"));
  REQUIRE(stage.click("Shape: linear"));
  CHECK(stage.state().find("chosen: linear") != std::string::npos);
  CHECK(stage.view().numbers(scene.input())[0].columns.size() == 3);
  CHECK(complaints_but_shapes(stage, scene) == "");
  REQUIRE(stage.click("Remove curve 1"));
  REQUIRE(stage.click("Remove curve 1"));
  CHECK(stage.view().numbers(scene.input())[0].columns.size() == 1);
  CHECK(complaints_but_shapes(stage, scene) == "");
}

TEST_CASE("a number that the schedule cannot take is refused beside its field") {
  SmallProgram program({.size = {1024, 768}, .view = "schedule"});
  const auto refused = [&](const std::string& typed) {
    type(program, "warm-up, in steps, typed", typed);
    return program.text("warm-up, in steps, refused");
  };
  CHECK(refused("250").empty());
  CHECK(refused("x") == "not a number");
  CHECK(refused("-3") == "not above 0");
  CHECK(refused("5e18") == "at most 10⁹");
  CHECK(refused("2.5") == "not whole");
}

TEST_CASE("the axis ends at the step that is typed, and by itself again when the field is empty") {
  for (const Point size : {Point{760, 900}, Point{1024, 768}, Point{1600, 1000}}) {
    CAPTURE(size.x);
    SmallProgram program({.size = size, .view = "schedule"});
    const std::string own = program.text("axis ends at step");
    // Once the field is left it shows where the chart ends.
    const auto ends = [&](const std::string& typed) {
      REQUIRE(program.type("axis ends at step", typed));
      press(program, ui::Key::enter);
      return program.text("axis ends at step");
    };
    CHECK(own != "20000");
    CHECK(ends("20000") == "20000");
    CHECK(ends("431") == "431");
    CHECK(ends("x") == "431");
    CHECK(ends("") == own);
  }
}

TEST_CASE("another shape keeps the peak and the warm-up") {
  SampleScene scene = run_at(100);
  ViewStage stage("schedule", scene);
  const auto table = stage.view().numbers(scene.input())[0];
  double own = 0, other = 0;
  for (const auto& row : table.values) own = std::max(own, row[0]), other = std::max(other, row[1]);
  CHECK(own == doctest::Approx(other));
  CHECK(own == doctest::Approx(0.4 / std::sqrt(double(scene.snapshot->config.d_model)) / std::sqrt(400.0)));
}

TEST_CASE("a curve is sampled at its corners") {
  const Schedule schedule{.kind = ScheduleKind::linear, .warmup = 37, .peak = 1, .total_steps = 911};
  const RateCurve curve = rate_curve(schedule, 1000);
  double highest = 0;
  for (std::size_t i = 0; i < curve.steps.size(); ++i) {
    highest = std::max(highest, curve.rates[i]);
    CHECK(curve.rates[i] == doctest::Approx(schedule.rate(std::lround(curve.steps[i]))));
  }
  CHECK(highest == 1);
}

TEST_CASE("a designed curve is one that the run can learn by, from its start or again, or beside it") {
  for (const long step : {0L, 100L}) {
    CAPTURE(step);
    SampleScene scene = run_at(step);
    if (step == 0) scene.run.phase = RunPhase::ready;
    ViewStage stage("schedule", scene);
    REQUIRE(stage.click("Shape: linear"));
    REQUIRE(stage.click("Learn by this curve"));
    std::optional<Schedule> asked;
    for (const Command& command : stage.take_commands())
      if (const auto* reset = command.get_if<ResetTraining>()) asked = reset->schedule;
    REQUIRE(asked);
    CHECK(asked->kind == ScheduleKind::linear);
    REQUIRE(stage.click("Train this curve beside"));
    std::optional<Variation> beside;
    for (const Command& command : stage.take_commands())
      if (const auto* variant = command.get_if<TrainVariant>()) beside = variant->variation;
    REQUIRE(beside);
    CHECK(beside->training.schedule == "linear");
    CHECK(beside->training.warmup == asked->warmup);
    CHECK(beside->training.total_steps == asked->total_steps);
    CHECK(beside->config == scene.snapshot->config);
  }
}
