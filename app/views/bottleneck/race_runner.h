// A race of three models (engine/train/length_race.h) that learns on a thread of its own while the screen
// shows how far it is.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "engine/train/length_race.h"

namespace glassformer {

struct ShownRace {
  LengthRaceOptions options;
  std::array<RacerState, kRacers> racers = {};
  std::array<int, kRacers> waits = {};  // steps in a row that learning one longest sentence takes
  long held_out = 0;
  bool running = false;
  double seconds = 0;   // since it began
  std::string problem;  // why there is nothing, a sentence; empty: none
  // As they were scored last; null: not yet.
  std::shared_ptr<const RecurrentModel<float>> one_vector = nullptr, attention = nullptr;
  std::shared_ptr<const Snapshot> transformer = nullptr;
  std::shared_ptr<const TrainingSet> data = nullptr;
  const RacerState& of(Racer racer) const { return racers[static_cast<std::size_t>(racer)]; }
};

class RaceRunner {
 public:
  RaceRunner() = default;
  ~RaceRunner();
  RaceRunner(const RaceRunner&) = delete;
  RaceRunner& operator=(const RaceRunner&) = delete;

  // Nothing where one goes on.
  void start(const LengthRaceOptions& options);
  void stop();  // soon; what it has learned until then stays
  // Of the last start; null: there was none.
  std::shared_ptr<const ShownRace> shown() const;
  // The whole race here and now, on a runner that was never started. Throws Error as LengthRace does.
  void run(const LengthRaceOptions& options, const std::function<void(const ShownRace&)>& going_on = {});

 private:
  void learn(const LengthRaceOptions& options, const std::function<void(const ShownRace&)>& going_on);
  void show(ShownRace race);

  mutable std::mutex mutex_;
  std::shared_ptr<const ShownRace> shown_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace glassformer
