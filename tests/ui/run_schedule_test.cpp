#include "app/views/run_schedule.h"

#include <doctest/doctest.h>

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
