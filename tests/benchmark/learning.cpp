#include "tests/benchmark/learning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/session/paths.h"
#include "engine/train/fitted_config.h"
#include "engine/train/presets.h"
#include "engine/train/trainer.h"
#include "tests/benchmark/times.h"

namespace glassformer {
namespace {

constexpr std::array<std::uint64_t, 3> kSeeds{1, 2, 3};

// The bundled grammar: models/README.md has the command of "tiny".
NewRun grammar_run(const char* size) {
  NewRun run;
  run.data.training.grammar = program_file("assets/grammars/english-french.grammar").string();
  run.data.training.pairs = 100000;
  run.data.leave_out = program_file("assets/grammars/english-french.left-out.tsv").string();
  run.data.tokenizer = TokenizerKind::bpe;
  run.data.pieces = 4000;
  run.data.shared_vocabulary = true;
  run.config = suggested_config("grammar", preset(size));
  run.config.sharing = Sharing::all;
  run.training = suggested_options("grammar", run.config, preset(size));
  run.training.steps = std::max(run.training.steps, 10000L);
  return run;
}

NewRun task_run(const char* size, const char* task) {
  NewRun run;
  run.data.training.task = task;
  run.config = suggested_config(task, preset(size));
  run.training = suggested_options(task, run.config, preset(size));
  return run;
}

constexpr double kNever = std::numeric_limits<double>::infinity();  // null as JSON

struct Reached {
  double seconds = 0, steps = 0;
};

// When each share of the held-out pairs was right, the shares rising.
std::vector<Reached> reached(const std::shared_ptr<const TrainingSet>& data, const NewRun& run,
                             const std::vector<double>& shares) {
  Trainer trainer(data, fitted_config(run.config, data->tokenizers), run.training);
  std::vector<Reached> result;
  double seconds = 0, before = 0, right = 0, steps = 0;  // at the measurement before
  while (result.size() < shares.size()) {
    if (!trainer.validation_due()) {
      if (trainer.stop()) break;
      seconds += trainer.step().seconds;
      continue;
    }
    const double now = trainer.validate()->exact_match, step = static_cast<double>(trainer.step_count());
    while (result.size() < shares.size() && now >= shares[result.size()]) {
      const double part = (shares[result.size()] - right) / (now - right);
      result.push_back({before + part * (seconds - before), steps + part * (step - steps)});
    }
    before = seconds, right = now, steps = step;
  }
  result.resize(shares.size(), {kNever, kNever});
  return result;
}

// Medians over the seeds, by share: "right_85" for 0.85.
nlohmann::json medians(NewRun run, const BenchRun& options, const std::vector<double>& shares) {
  run.training.threads = options.threads;
  const auto data = std::make_shared<const TrainingSet>(training_set(prepare_data(run.data), run.data));
  std::vector<std::vector<double>> seconds(shares.size()), steps(shares.size());
  for (const std::uint64_t seed : kSeeds) {
    run.training.seed = seed;
    const auto of_seed = reached(data, run, shares);
    for (std::size_t i = 0; i < shares.size(); ++i)
      seconds[i].push_back(of_seed[i].seconds), steps[i].push_back(of_seed[i].steps);
  }
  nlohmann::json result;
  for (std::size_t i = 0; i < shares.size(); ++i)
    result["right_" + std::to_string(std::lround(100 * shares[i]))] = {
        {"seconds", median(seconds[i])}, {"steps", median(steps[i])}, {"seconds_by_seed", seconds[i]}};
  return result;
}

}  // namespace

nlohmann::json bench_learning(const BenchRun& options) {
  nlohmann::json result;
  for (const char* size : {"tiny", "quick"}) {
    NewRun grammar = grammar_run(size);
    // Means reach as far back as ever.
    constexpr long kEvery = 50;
    grammar.training.average =
        static_cast<int>((grammar.training.average - 1) * grammar.training.validate_every / kEvery + 1);
    grammar.training.validate_every = kEvery;
    result["grammar"][size] = medians(std::move(grammar), options, {0.5, 0.85});
    for (const char* task : {"copy", "reverse", "sort", "add"}) {
      NewRun run = task_run(size, task);
      run.training.validate_every = 25;
      result[task][size] = medians(std::move(run), options, {1});
    }
  }
  return result;
}

}  // namespace glassformer
