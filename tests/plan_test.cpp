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

TEST_CASE("an extended plan goes through its schedule once more and stops again") {
  for (const char* schedule : {"cosine", "linear", "noam"}) {
    CAPTURE(schedule);
    Trainer trainer(copying_set(), copying_config(), planned(schedule));
    CHECK_FALSE(trainer.plan_over());
    run(trainer, 100);
    CHECK(trainer.step_count() == 10);
    CHECK(trainer.plan_over());
    CHECK(trainer.extension() == 10);
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
  CHECK(rate_at(*trainer, 11) == rate_at(*trainer, 1));

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
