// The one recurrent model that stands beside the Transformer: it learns on a thread of its own into a folder
// of its own among the runs, or is read from one. A new one takes the place of one that is over, which stays
// where it is kept.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/scene/recurrent_run.h"
#include "engine/train/recurrent_run.h"

namespace glassformer {

// Of a folder, as `open` shows it. Throws Error.
RecurrentRunState opened_recurrent(const std::string& folder);

class RecurrentDesk {
 public:
  // `wake`: something new can be seen. Called on the thread.
  explicit RecurrentDesk(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~RecurrentDesk();  // as finish()
  RecurrentDesk(const RecurrentDesk&) = delete;
  RecurrentDesk& operator=(const RecurrentDesk&) = delete;

  // All three do nothing while it is busy(). `folder` empty: it is kept nowhere.
  void train(const NewRecurrentRun& recipe, const std::string& name, const std::string& folder);
  void open(const std::string& folder);
  // From the last save in its folder, to the bit; does nothing unless that may_go_on(). `threads` 0: all
  // cores.
  void go_on(int threads);
  // Soon; what it has learned until then is saved.
  void stop();
  // The same, and waits for it. A sentence when what it has learned could not be saved; else empty.
  std::string finish();
  bool busy() const;  // it learns, or is being read
  bool stopping() const { return stop_; }

  std::shared_ptr<const RecurrentRunState> shown() const;  // null: there is none
  // The last one that is over, when that was not taken before; null: none.
  std::shared_ptr<const RecurrentRunState> take_ended();

 private:
  void begin(RecurrentRunState state, bool learns, std::function<void(RecurrentRunState&)> work);
  DataProgress progress_of(RecurrentRunState& state);
  void learn_anew(const NewRecurrentRun& recipe, RecurrentRunState& state);
  void learn(RecurrentRun& run, RecurrentRunState& state);
  void show(const RecurrentRunState& state);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::shared_ptr<const RecurrentRunState> shown_, ended_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace glassformer
