#include "app/reading/run_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace glassformer;

namespace {

RunState run_at(RunPhase phase, long step, long planned) {
  RunState run;
  run.phase = phase;
  run.step = step;
  run.planned_steps = run.options.steps = planned;
  return run;
}

}  // namespace

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
