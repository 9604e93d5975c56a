// The schedule of a run and its time: in the view, over it and beside it.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/format/number_format.h"
#include "app/offscreen.h"
#include "app/panels/step_timing.h"
#include "app/reading/run_schedule.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_cases.h"
#include "tests/ui/view_stage.h"

namespace glassformer::schedule_view_test {

TEST_CASE("the flag says where the run is and at what rate") {
  SampleScene scene = scheduled_scene(1240);
  ViewStage stage("schedule", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input());
  const double rate = run_schedule(scene.run, scene.snapshot->config).rate(1240);
  CHECK(canvas.find("You are here · step " + format_count(1240) + " · rate " + format_short(rate)) !=
        nullptr);
}

TEST_CASE("the legend names all that a curve of the paper is made of, the width among it") {
  SampleScene scene = scheduled_scene(1240);
  ViewStage stage("schedule", scene);
  const RecordingCanvas canvas = picture_of(stage.view(), scene.input(), {0, 0, 1200, 760}, true);
  const std::string words =
      "noam, warm-up 400, factor 0.4, d " + std::to_string(scene.snapshot->config.d_model);
  CHECK_MESSAGE(canvas.find(words) != nullptr, words);
  CHECK(contains(stage.view().caption(scene.input()), words));
}

TEST_CASE("curves are added, shaped and removed") {
  SampleScene scene = scheduled_scene(100);
  ViewStage stage("schedule", scene);
  CHECK(stage.state() == "even, as proposed");
  REQUIRE(stage.click("Add a curve"));
  REQUIRE(stage.click("Shape: linear"));
  CHECK(contains(stage.state(), "chosen: linear"));
  CHECK(stage.view().numbers(scene.input())[0].columns.size() == 3);
  CHECK(in_lines(complaints(stage.view(), scene.input(), Shapes::few)) == "");
  REQUIRE(stage.click("Remove curve 1"));
  REQUIRE(stage.click("Remove curve 1"));
  CHECK(stage.view().numbers(scene.input())[0].columns.size() == 1);
  CHECK(in_lines(complaints(stage.view(), scene.input(), Shapes::few)) == "");
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
  SampleScene scene = scheduled_scene(100);
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
    SampleScene scene = scheduled_scene(step);
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

RunState run_at(RunPhase phase, long step, long planned) {
  RunState run;
  run.phase = phase;
  run.step = step;
  run.planned_steps = run.options.steps = planned;
  return run;
}

TEST_CASE("axes of steps end at the plan, and some way on while a run is past it or has none") {
  CHECK(chart_steps(run_at(RunPhase::training, 40, 2000)) == 2000);
  CHECK(chart_steps(run_at(RunPhase::stopped, 2000, 2000)) == 2000);
  for (const long planned : {0L, 2000L}) {
    for (const long step : {2001L, 9414L, 20000L}) {
      const long end = chart_steps(run_at(RunPhase::training, step, planned));
      CHECK(end > step);
      CHECK(end <= step + step / 3);
    }
  }
}

TEST_CASE("the axis of a run without an end stands still from step to step") {
  int moves = 0;
  long before = chart_steps(run_at(RunPhase::training, 5000, 0));
  for (long step = 5001; step < 6000; ++step) {
    const long now = chart_steps(run_at(RunPhase::training, step, 0));
    moves += now != before;
    before = now;
  }
  CHECK(moves <= 1);
}

TEST_CASE("a rate that was changed on the way changed neither what was before it nor the plan") {
  RunState run = run_at(RunPhase::training, 4, 100);
  Curves curves;
  for (const float rate : {0.1F, 0.2F, 0.15F, 0.2F})
    curves.steps.push_back({.loss = 1, .learning_rate = rate});
  curves.marks.push_back({.step = 2, .text = "learning rate × 1 to 0.5"});
  run.curves = std::make_shared<const Curves>(curves);
  run.live.rate_scale = 0.5;
  run.schedule = Schedule{.kind = ScheduleKind::linear, .warmup = 10, .peak = 1, .total_steps = 100};
  const Schedule planned = run_schedule(run, Config{});
  CHECK(planned.rate(5) == doctest::Approx(0.5));
  CHECK(run_rate(run, planned, 2) == doctest::Approx(0.2));
  CHECK(run_rate(run, planned, 3) == doctest::Approx(0.15));
  CHECK(run_rate(run, planned, 5) == doctest::Approx(0.25));
  const RateCurve curve = run_rate_curve(run, planned, 100);
  CHECK(curve.rates.front() == doctest::Approx(0.1));
  CHECK(*std::ranges::max_element(curve.rates) == doctest::Approx(0.5));
  CHECK(run_schedule_words(run, Config{}).ends_with(", now × 0.5"));
}

// ---- What the top bar and the slider under the stage say of a run.

TEST_CASE("the top bar shows the training loss by name until the first validation, then the validation's") {
  SmallProgram program({.threads = 1});
  NewRun run = reverse_run();
  run.training.validate_every = 4;
  program.session().apply({run, TrainOneStep{}});
  REQUIRE(program.wait([&] { return program.session().run().step == 1; }));
  program.frame(2);
  REQUIRE(program.session().run().curves->validations.empty());
  CHECK(program.text("loss") == "");
  const std::string trained = program.text("training loss");
  CHECK(std::stod(trained) ==
        doctest::Approx(program.session().run().curves->steps.back().loss).epsilon(0.01));
  CHECK(program.text("step") == "1");

  program.session().apply({TrainOneStep{}, TrainOneStep{}, TrainOneStep{}, TrainOneStep{}});
  REQUIRE(program.wait([&] { return program.session().run().step == 5; }));
  program.frame(2);
  REQUIRE(program.session().run().curves->validations.size() == 1);
  CHECK(program.text("training loss") == "");
  const double validated = program.session().run().curves->validations.back().loss;
  // The loss is that of the fourth step, and the bar says so.
  CHECK(std::stod(program.text("loss at step 4")) == doctest::Approx(validated).epsilon(0.01));
}

TEST_CASE("while a run prepares its data the slider stands at its start, not where the open model is") {
  SmallProgram program({.threads = 1});
  program.session().apply({reverse_run(), Train{}});
  REQUIRE(program.wait([&] { return program.session().run().step >= 5; }));
  program.session().apply({PauseTraining{}});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::paused; }));
  program.frame(2);
  CHECK(program.text("training step") == std::to_string(program.session().run().step));

  NewRun large = reverse_run();
  large.data.training.pairs = 300000;  // takes longer to make than the frames below
  large.data.training.toy = {.length = 12, .symbols = 20};
  program.session().apply({large});
  program.frame(2);
  REQUIRE(program.session().run().phase == RunPhase::preparing);
  REQUIRE(program.session().snapshot()->step >= 5);
  CHECK(program.text("training step") == "0");
  CHECK(program.text("step") == "");  // the top bar says what is being prepared instead
}

// ---- The time of a step, measured beside the screen for the model that is being chosen.

Config small_config() {
  Config config;
  config.source_vocab = config.target_vocab = 12;
  config.d_model = 16, config.d_ff = 32, config.heads = 2, config.encoder_layers = config.decoder_layers = 1;
  return config;
}

double when_known(StepTiming& timing, const Config& config, const TrainingOptions& options) {
  for (;;) {
    if (const std::optional<double> seconds = timing.of(config, options)) return *seconds;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("nothing is said before it is measured, one model has one answer, another is measured anew") {
  StepTiming timing;
  Config config = small_config();
  TrainingOptions options;
  options.batch_tokens = 64;
  CHECK_FALSE(timing.of(config, options));
  const double first = when_known(timing, config, options);
  CHECK(first > 0);
  CHECK(timing.of(config, options) == first);
  options.seed = 7;  // costs nothing
  CHECK(timing.of(config, options) == first);
  options.batch_tokens = 128;
  CHECK_FALSE(timing.of(config, options));
  CHECK(when_known(timing, config, options) > 0);
  timing.measure_again();
  CHECK_FALSE(timing.of(config, options));
  CHECK(when_known(timing, config, options) > 0);
}

TEST_CASE("a model that cannot be made takes 0 s, and the one chosen meanwhile is the one measured") {
  StepTiming timing;
  TrainingOptions options;
  options.batch_tokens = 64;
  Config wrong = small_config();
  wrong.heads = 3;
  CHECK(when_known(timing, wrong, options) == 0);
  CHECK_FALSE(timing.of(small_config(), options));
  CHECK_FALSE(timing.of(wrong, options));  // what was begun is not its
  CHECK(when_known(timing, wrong, options) == 0);
  CHECK(when_known(timing, small_config(), options) > 0);
}

}  // namespace glassformer::schedule_view_test
