#include "tests/benchmark/run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "app/offscreen.h"
#include "app/session/paths.h"
#include "app/session/settings.h"
#include "engine/math/error.h"
#include "engine/train/fitted_config.h"
#include "engine/train/presets.h"
#include "engine/train/trainer.h"
#include "tests/benchmark/times.h"

namespace glassformer {
namespace {

constexpr long kPairs = 20000;
constexpr double kRound = 1.5;  // seconds; sides take turns, so that both see the machine in the same mood
constexpr double kFirstSteps = 0.5;   // seconds, until a run is under way
constexpr double kRunPatience = 120;  // seconds, until the run is ready

// The same run as `glassformer train` has it.
class Plain {
 public:
  explicit Plain(NewRun run) {
    const PreparedData data = prepare_data(run.data);
    trainer_ = std::make_unique<Trainer>(std::make_shared<TrainingSet>(training_set(data, run.data)),
                                         fitted_config(run.config, data.tokenizers), run.training);
    trainer_->keep_diagnosis();
  }

  void keep_history() { trainer_->keep_history(static_cast<std::size_t>(Settings().history_mb) << 20U); }

  // Tokens a second.
  double learn(double seconds) {
    const auto start = BenchClock::now();
    long tokens = 0;
    double passed = 0;
    while (passed < seconds || tokens == 0) {
      if (trainer_->validation_due()) {
        trainer_->validate();
      } else {
        tokens += trainer_->step().tokens;
      }
      passed = seconds_since(start);
    }
    tokens_ += tokens;
    return static_cast<double>(tokens) / passed;
  }
  double tokens_per_step() const {
    return static_cast<double>(tokens_) / static_cast<double>(trainer_->step_count());
  }

 private:
  std::unique_ptr<Trainer> trainer_;
  long tokens_ = 0;
};

// Speeds round by round.
struct Sides {
  std::vector<double> with, without;

  double cost() const {
    std::vector<double> ratios(with.size());
    std::transform(with.begin(), with.end(), without.begin(), ratios.begin(), std::divides<>());
    return 1 - median(ratios);
  }
};

int rounds_of(double seconds) {
  return std::max(1, static_cast<int>(std::lround(seconds / kRound)));
}

// The run in a window, drawn as often as a window draws when nobody touches it: in the views, or in "Watch
// one learn".
class Watched {
 public:
  Watched(const NewRun& run, bool one)
      : program_({.threads = run.training.threads, .draws = true}), one_(one) {
    open_run(program_, run);
  }

  // Steps a second.
  double learn(double seconds) {
    go_on();
    program_.finish_drawing();
    watch(kFirstSteps);
    const long first = run().step;
    const auto start = BenchClock::now();
    watch(seconds);
    const double speed = static_cast<double>(run().step - first) / seconds_since(start);
    one_ ? session().apply({SetWatching{false}}) : session().apply({PauseTraining{}});
    program_.wait([this] { return run().phase == RunPhase::paused; }, kRunPatience);
    program_.settle();
    return speed;
  }

  nlohmann::json frames() const {
    return {{"median_ms", median(frames_) * 1e3},
            {"longest_ms", longest(frames_) * 1e3},
            {"interface_median_ms", median(building_) * 1e3}};
  }

 private:
  Session& session() { return program_.session(); }
  const RunState& run() { return one_ ? session().watched()->run : session().run(); }
  void go_on() {
    if (!one_) return session().apply({Train{}});
    session().watched() ? session().apply({SetWatching{true}}) : session().apply({WatchOne{}});
    if (!session().watched()) throw Error("bench", session().why_no_watching());
    program_.wait([this] { return run().phase == RunPhase::training; }, kRunPatience);
  }

  // Until a step was seen at least.
  void watch(double seconds) {
    const auto start = BenchClock::now();
    const long before = run().step;
    const auto unfinished = [&](double passed) {
      return passed < seconds || (run().step == before && passed < kRunPatience);
    };
    while (unfinished(seconds_since(start))) {
      const auto begin = BenchClock::now();
      program_.frame();
      program_.finish_drawing();
      frames_.push_back(seconds_since(begin));
      building_.push_back(program_.build_seconds());
      const std::chrono::duration<double> pause(unasked_interval(frames_.back()));
      std::this_thread::sleep_for(pause);
    }
  }

  OffscreenProgram program_;
  bool one_;
  std::vector<double> frames_, building_;
};

nlohmann::json bench_watched(const BenchRun& options, bool one) {
  setenv("LP_NUM_THREADS", "0", 0);  // as in the window
  const NewRun run = run_on_grammar(options);
  Plain alone(run);
  Watched watched(run, one);
  const int rounds = rounds_of(options.seconds);
  Sides speeds;
  for (int round = 0; round < rounds; ++round) {
    speeds.without.push_back(alone.learn(options.seconds / rounds));
    speeds.with.push_back(watched.learn(options.seconds / rounds) * alone.tokens_per_step());
  }
  return {{"tokens_per_s", median(speeds.with)},
          {"alone_tokens_per_s", median(speeds.without)},
          {"cost", speeds.cost()},
          {"frame", watched.frames()}};
}

}  // namespace

NewRun run_on_grammar(const BenchRun& options) {
  NewRun run;
  run.data.training.grammar = program_file("assets/grammars/english-french.grammar").string();
  run.data.training.pairs = kPairs;
  run.config = suggested_config("grammar", preset(options.preset));
  run.training = suggested_options("grammar", run.config, preset(options.preset));
  run.training.steps = 0;
  run.training.schedule = "noam";  // has no end
  run.training.threads = options.threads;
  return run;
}

void open_run(OffscreenProgram& program, const NewRun& run) {
  program.settle();
  program.session().apply({run});
  if (!program.wait([&] { return program.session().run().phase == RunPhase::ready; }, kRunPatience))
    throw Error("bench", "the run was not ready within two minutes");
  program.settle();
}

nlohmann::json bench_history(const BenchRun& options) {
  const NewRun run = run_on_grammar(options);
  Plain with(run), without(run);
  with.keep_history();
  const int rounds = rounds_of(options.seconds);
  Sides speeds;
  for (int round = 0; round < rounds; ++round) {
    speeds.with.push_back(with.learn(options.seconds / rounds));
    speeds.without.push_back(without.learn(options.seconds / rounds));
  }
  return {{"tokens_per_s", median(speeds.with)},
          {"without_tokens_per_s", median(speeds.without)},
          {"cost", speeds.cost()}};
}

nlohmann::json bench_pair(const BenchRun& options) {
  const NewRun run = run_on_grammar(options);
  Plain alone(run), one(run), other(run);
  const int rounds = rounds_of(options.seconds);
  const double seconds = options.seconds / rounds;
  Sides first, second;  // with the other beside it, and without
  for (int round = 0; round < rounds; ++round) {
    const double by_itself = alone.learn(seconds);
    first.without.push_back(by_itself);
    second.without.push_back(by_itself);
    auto beside = std::async(std::launch::async, [&] { return other.learn(seconds); });
    first.with.push_back(one.learn(seconds));
    second.with.push_back(beside.get());
  }
  return {{"alone_tokens_per_s", median(first.without)},
          {"first_share", 1 - first.cost()},
          {"second_share", 1 - second.cost()}};
}

nlohmann::json bench_window(const BenchRun& options) {
  return bench_watched(options, false);
}

nlohmann::json bench_watch(const BenchRun& options) {
  return bench_watched(options, true);
}

}  // namespace glassformer
