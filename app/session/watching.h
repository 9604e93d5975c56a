// The run that is watched as it learns. It is kept among the runs like all others, and what is open is not
// touched.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/scene/watch_state.h"
#include "app/session/runs.h"

namespace glassformer {

class Watching {
 public:
  Watching(Runs& runs, std::function<void()> wake) : runs_(runs), wake_(std::move(wake)) {}
  ~Watching();

  // `what` says what is watched: the sentence, and how it learns.
  void begin(const NewRun& recipe, RunThread::Make make, WatchState what, const std::string& folder);
  void set_running(bool running);
  void end();  // it is saved and stays among the runs
  // Takes what is new, and looks at it: ten times a second at most. True when something has changed.
  bool take();
  const WatchState* state() const { return state_ ? &*state_ : nullptr; }  // null: none is watched

 private:
  using Clock = std::chrono::steady_clock;
  void look(const Run& run);
  void keep_attempt();

  Runs& runs_;
  std::function<void()> wake_;
  std::optional<WatchState> state_;
  std::shared_ptr<const Snapshot> looked_at_;
  std::future<std::shared_ptr<const SceneResult>> looking_;
  Clock::time_point before_, looked_;  // the last take, the last look
};

}  // namespace glassformer
