#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "engine/layers/adam.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

TrainingOptions planned(const char* schedule) {
  TrainingOptions options = small_options();
  options.schedule = schedule;
  options.steps = 10;
  options.warmup = 4;
  options.peak = 2e-3;
  return options;
}

float rate_at(const Trainer& trainer, std::size_t step) {
  return trainer.curves().steps.at(step - 1).learning_rate;
}

}  // namespace

TEST_CASE("a schedule that fell to 0 is gone through once more when the plan is extended, and stops again") {
  for (const char* schedule : {"cosine", "linear"}) {
    CAPTURE(schedule);
    Trainer trainer(copying_set(), copying_config(), planned(schedule));
    CHECK_FALSE(trainer.plan_over());
    run(trainer, 100);
    CHECK(trainer.step_count() == 10);
    CHECK(trainer.plan_over());
    CHECK(trainer.extension().steps == 10);
    CHECK(trainer.extension().schedule_anew);
    trainer.extend_plan();
    CHECK_FALSE(trainer.plan_over());
    run(trainer, 100);
    CHECK(trainer.step_count() == 20);
    CHECK(trainer.plan_over());
    for (std::size_t step = 1; step <= 10; ++step)
      CHECK(rate_at(trainer, step) == rate_at(trainer, step + 10));
    CHECK(rate_at(trainer, 12) > 0);
  }
}

TEST_CASE("a schedule without an end goes on where it is: the curve is that of a longer plan") {
  for (const char* schedule : {"noam", "constant"}) {
    CAPTURE(schedule);
    Trainer extended(copying_set(), copying_config(), planned(schedule));
    run(extended, 100);
    CHECK_FALSE(extended.extension().schedule_anew);
    extended.extend_plan();
    run(extended, 100);
    CHECK(extended.step_count() == 20);
    extended.extend_plan();
    CHECK(extended.planned_steps() == 30);

    TrainingOptions longer = planned(schedule);
    longer.steps = 20;
    Trainer whole(copying_set(), copying_config(), longer);
    run(whole, 100);
    for (std::size_t step = 1; step <= 20; ++step) CHECK(rate_at(whole, step) == rate_at(extended, step));
    CHECK(same_weights(*whole.snapshot(), *extended.snapshot()));
  }
}

TEST_CASE("minutes and patience that ended a run count anew when it goes on, also after it was saved") {
  const ScratchFolder folder;
  TrainingOptions options = planned("noam");
  options.steps = 0;
  options.minutes = 1e-9;
  options.patience = 1000;
  Trainer trainer(copying_set(), copying_config(), options);
  run(trainer, 3);
  REQUIRE(trainer.stop());
  CHECK(trainer.stop()->reason == StopReason::minutes);
  const Extension more = trainer.extension();
  CHECK(more.minutes == options.minutes);
  CHECK(more.steps == 0);
  CHECK_FALSE(more.schedule_anew);
  trainer.extend_plan();
  CHECK_FALSE(trainer.stop());
  CHECK(trainer.time_limit() == trainer.seconds() + 60 * options.minutes);
  CHECK(trainer.options().patience == 1000);
  CHECK(trainer.planned_steps() == 0);
  trainer.save_copy(folder.path("run"));
  CHECK(Trainer::resume(folder.path("run"), copying_set())->time_limit() == trainer.time_limit());
  trainer.set_limits(0, 0, 2e-9);
  CHECK(trainer.time_limit() == 60 * 2e-9);

  options.minutes = 0;
  options.patience = 1;
  Trainer patient(copying_set(), copying_config(), options);
  set_rate_scale(patient, 0);  // nothing improves
  run(patient, 1000);
  REQUIRE(patient.stop());
  CHECK(patient.stop()->reason == StopReason::patience);
  CHECK(patient.extension().validations == 1);
  const long until = patient.step_count();
  patient.extend_plan();
  CHECK_FALSE(patient.stop());
  run(patient, 1000);
  CHECK(patient.step_count() > until);
  CHECK(patient.stop()->reason == StopReason::patience);
}

TEST_CASE("a run is validated where it ends, and keeps what it has learned until then") {
  TrainingOptions options = planned("noam");
  options.steps = 7;
  options.validate_every = 100;
  Trainer trainer(copying_set(), copying_config(), options);
  for (int i = 0; i < 6; ++i) {
    trainer.step();
    CHECK_FALSE(trainer.validation_due());
  }
  trainer.step();
  CHECK(trainer.validation_due());
  CHECK(trainer.validate()->best);
  CHECK_FALSE(trainer.validation_due());
  CHECK(trainer.kept()->step == 7);
}

TEST_CASE("an extended plan is resumed to the bit") {
  const ScratchFolder folder;
  Trainer whole(copying_set(), copying_config(), planned("cosine"));
  run(whole, 10);
  whole.extend_plan();
  {
    Trainer first(copying_set(), copying_config(), planned("cosine"));
    run(first, 10);
    first.extend_plan();
    run(first, 3);
    first.save(folder.path("run"));
  }
  run(whole, 8);
  const auto second = Trainer::resume(folder.path("run"), copying_set());
  run(*second, 5);
  check_same_curves(whole.curves(), second->curves());
  CHECK(same_weights(*whole.snapshot(), *second->snapshot()));
}

TEST_CASE("limits taken away after a falling schedule's end leave a plan that is over") {
  Trainer trainer(copying_set(), copying_config(), planned("cosine"));
  run(trainer, 10);
  trainer.set_limits(0, 0, 0);
  CHECK_FALSE(trainer.stop());
  CHECK(trainer.plan_over());
}

TEST_CASE("a model without its moments learns on from its kept weights, and its run can be resumed") {
  const ScratchFolder folder;
  std::shared_ptr<const Snapshot> kept;
  {
    Trainer first(copying_set(), copying_config(), planned("cosine"));
    run(first, 10);
    first.save(folder.path("model"));
    kept = first.kept();
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("model")))
    if (entry.path().filename().string().starts_with("last-")) std::filesystem::remove(entry.path());

  const auto trainer = Trainer::train_on(folder.path("model"), copying_set());
  CHECK(trainer->step_count() == 10);
  CHECK(trainer->planned_steps() == 20);
  CHECK(same_weights(*trainer->snapshot(), *kept));
  run(*trainer, 1);
  const double peak = 10 * rate_at(*trainer, 11);
  double highest = 0;
  for (long step = 1; step <= 10; ++step)
    highest = std::max(highest, static_cast<double>(rate_at(*trainer, step)));
  CHECK(peak == doctest::Approx(highest).epsilon(1e-6));

  // The first step of fresh moments moves every weight by the rate at most, as at the very beginning.
  std::vector<Parameter<const float>> before;
  kept->weights->visit([&](const std::string&, Parameter<const float> tensor) { before.push_back(tensor); });
  const auto after = trainer->snapshot();
  std::size_t next = 0;
  float most = 0;
  after->weights->visit([&](const std::string&, Parameter<const float> tensor) {
    const Parameter<const float>& old = before.at(next++);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      most = std::max(most, std::abs(tensor.data[i] - old.data[i]));
  });
  CHECK(most == doctest::Approx(rate_at(*trainer, 11)).epsilon(1e-3));

  // What a snapshot holds is what the next step starts from.
  const auto old = trainer->snapshot(true);
  CHECK(old->moments_from == 10);
  const StepReport report = trainer->step();
  const auto now = trainer->snapshot(true);
  const auto first_of = [](const Transformer<float>& tensors) {
    double number = 0;
    tensors.visit([&](const std::string& name, Parameter<const float> tensor) {
      if (name == "output_projection.weight") number = tensor.data[3];
    });
    return number;
  };
  double weight = first_of(*old->weights), m = first_of(*old->first_moment),
         v = first_of(*old->second_moment);
  const double gradient = first_of(*now->gradients);
  adam_update(&weight, &gradient, &m, &v, 1,
              {.step = old->step + 1 - old->moments_from, .rate = report.learning_rate});
  CHECK(first_of(*now->weights) == doctest::Approx(weight).epsilon(1e-5));
  CHECK(first_of(*now->weights) != first_of(*old->weights));

  run(*trainer, 2);
  trainer->save_copy(folder.path("run"));
  const auto second = Trainer::resume(folder.path("run"), copying_set());
  run(*trainer, 4);
  run(*second, 4);
  CHECK(same_weights(*trainer->snapshot(), *second->snapshot()));
}
