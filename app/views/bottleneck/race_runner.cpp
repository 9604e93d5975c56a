#include "app/views/bottleneck/race_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/session/priority.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

constexpr long kScorings = 10;
constexpr double kBetweenPictures = 0.1;  // seconds

}  // namespace

RaceRunner::~RaceRunner() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void RaceRunner::start(const LengthRaceOptions& options) {
  const auto before = shown();
  if (before && before->running) return;
  if (thread_.joinable()) thread_.join();  // over by now
  stop_ = false;
  show({.options = options, .running = true, .problem = {}});
  thread_ = std::thread([this, options] {
    give_way(Patience::training);
    try {
      learn(options, {});
    } catch (const std::exception& error) {
      show({.options = options, .problem = failure_words(error)});
    }
  });
}

void RaceRunner::stop() {
  stop_ = true;
}

void RaceRunner::run(const LengthRaceOptions& options,
                     const std::function<void(const ShownRace&)>& going_on) {
  learn(options, going_on);
}

void RaceRunner::learn(const LengthRaceOptions& options,
                       const std::function<void(const ShownRace&)>& going_on) {
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  LengthRace race(options);
  const Clock::time_point begun = Clock::now();
  Clock::time_point told = begun;
  std::shared_ptr<const RecurrentModel<float>> one_vector, attention;
  std::shared_ptr<const Snapshot> transformer;
  const auto score = [&] {
    if (!race.score([this] { return !stop_; })) return false;
    one_vector = race.recurrent(Racer::one_vector);
    attention = race.recurrent(Racer::attention);
    transformer = race.transformer();
    return true;
  };
  const auto tell = [&](bool running) {
    ShownRace now{.options = options,
                  .held_out = race.held_out(),
                  .running = running,
                  .seconds = seconds_since(begun),
                  .problem = {},
                  .one_vector = one_vector,
                  .attention = attention,
                  .transformer = transformer,
                  .data = race.shared_data()};
    for (int i = 0; i < kRacers; ++i) {
      now.racers[static_cast<std::size_t>(i)] = race.state(static_cast<Racer>(i));
      now.waits[static_cast<std::size_t>(i)] = race.steps_in_a_row(static_cast<Racer>(i));
    }
    if (going_on) going_on(now);
    show(std::move(now));
    told = Clock::now();
  };
  const long every = std::max(1l, options.steps / kScorings);
  while (!stop_ && race.step()) {
    const long step = race.state(Racer::transformer).step;
    const bool scored = step % every == 0 && score();
    if (scored || seconds_since(told) > kBetweenPictures) tell(true);
  }
  const RacerState& last = race.state(Racer::transformer);
  if (!stop_ && last.step > 0 && last.scored_at != last.step) score();
  tell(false);
}

std::shared_ptr<const ShownRace> RaceRunner::shown() const {
  const std::scoped_lock lock(mutex_);
  return shown_;
}

void RaceRunner::show(ShownRace race) {
  auto made = std::make_shared<const ShownRace>(std::move(race));
  const std::scoped_lock lock(mutex_);
  shown_ = std::move(made);
}

}  // namespace glassformer
