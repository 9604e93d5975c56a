#include "tests/benchmark/learning.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/session/paths.h"
#include "engine/math/error.h"
#include "engine/train/fitted_config.h"
#include "engine/train/presets.h"
#include "engine/train/trainer.h"
#include "tests/benchmark/times.h"

namespace glassformer {
namespace {

constexpr std::array kShares{0.5, 0.85};
constexpr std::array<std::uint64_t, 3> kSeeds{1, 2, 3};

struct Recipe {
  const char* name;
  NewRun run;
};

// models/README.md has its command.
NewRun bundled_recipe() {
  NewRun run;
  run.data.training.grammar = program_file("assets/grammars/english-french.grammar").string();
  run.data.training.pairs = 100000;
  run.data.leave_out = program_file("assets/grammars/english-french.left-out.tsv").string();
  run.data.tokenizer = TokenizerKind::bpe;
  run.data.pieces = 4000;
  run.data.shared_vocabulary = true;
  run.config = suggested_config("grammar", preset("tiny"));
  run.config.sharing = Sharing::all;
  run.training = suggested_options("grammar", run.config, preset("tiny"));
  run.training.steps = 10000;
  return run;
}

struct Reached {
  double seconds = 0, steps = 0;
};

// When each share of the held-out pairs was right.
std::array<Reached, kShares.size()> reached(const std::shared_ptr<const TrainingSet>& data,
                                            const NewRun& run) {
  Trainer trainer(data, fitted_config(run.config, data->tokenizers), run.training);
  std::array<Reached, kShares.size()> result;
  double seconds = 0, before = 0, right = 0, steps = 0;  // at the measurement before
  for (std::size_t next = 0; next < kShares.size();) {
    if (!trainer.validation_due()) {
      if (trainer.stop()) throw Error("bench", "the recipe ends before its sentences are right");
      seconds += trainer.step().seconds;
      continue;
    }
    const double now = trainer.validate()->exact_match, step = static_cast<double>(trainer.step_count());
    for (; next < kShares.size() && now >= kShares[next]; ++next) {
      const double part = (kShares[next] - right) / (now - right);
      result[next] = {before + part * (seconds - before), steps + part * (step - steps)};
    }
    before = seconds, right = now, steps = step;
  }
  return result;
}

}  // namespace

nlohmann::json bench_learning(const BenchRun& options) {
  nlohmann::json result;
  for (Recipe recipe : {Recipe{"bundled", bundled_recipe()}}) {
    recipe.run.training.threads = options.threads;
    recipe.run.training.validate_every = 50;
    const auto data =
        std::make_shared<const TrainingSet>(training_set(prepare_data(recipe.run.data), recipe.run.data));
    std::array<std::vector<double>, kShares.size()> seconds, steps;
    for (const std::uint64_t seed : kSeeds) {
      recipe.run.training.seed = seed;
      const auto run = reached(data, recipe.run);
      for (std::size_t i = 0; i < run.size(); ++i)
        seconds[i].push_back(run[i].seconds), steps[i].push_back(run[i].steps);
    }
    nlohmann::json& of_recipe = result[recipe.name];
    for (std::size_t i = 0; i < kShares.size(); ++i)
      of_recipe["right_" + std::to_string(static_cast<int>(100 * kShares[i]))] = {
          {"seconds", median(seconds[i])}, {"steps", median(steps[i])}, {"seconds_by_seed", seconds[i]}};
  }
  return result;
}

}  // namespace glassformer
