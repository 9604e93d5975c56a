#include "app/session/opened_model.h"

#include <doctest/doctest.h>

#include "app/reading/run_schedule.h"
#include "app/scene/run_state.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("a model opens with the settings that its run had come to, not with those it began with") {
  const ScratchFolder scratch;
  TrainingOptions options = small_options();
  options.schedule = "cosine";
  options.steps = 20;
  Trainer trainer(copying_set(), copying_config(), options);
  run(trainer, 20);
  trainer.extend_plan();
  LiveSettings live = trainer.live();
  live.rate_scale = 0.5;
  live.clip = 0.25;
  live.smoothing = 0.2;
  trainer.change(live);
  const StepReport last = trainer.step();
  trainer.save(scratch.path("model"));

  const OpenedModel model = open_model(scratch.path("model"));
  const RunState recorded = recorded_run(model);
  CHECK(recorded.live == live);
  CHECK(recorded.options.clip == 0);
  REQUIRE(recorded.schedule);
  CHECK(recorded.schedule->from == 20);
  const Schedule schedule = run_schedule(recorded, model.snapshot.config);
  CHECK(schedule.rate(last.step) == doctest::Approx(2 * last.learning_rate));
  CHECK(run_rate(recorded, schedule, last.step) == doctest::Approx(last.learning_rate));
  CHECK(run_rate(recorded, schedule, last.step + 1) == doctest::Approx(schedule.rate(last.step + 1) / 2));
  CHECK(last.learning_rate > 0);
}
