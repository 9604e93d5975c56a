// The one recurrent model that is beside the Transformer: it trains on a thread of its own into a folder
// of its own among the runs, or is read from one. A new one takes the place of one that is over, which stays
// where it is kept.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/scene/recurrent_run.h"
#include "app/session/run_thread.h"

namespace glassformer {

// Of a folder, as `open` shows it. Throws Error.
RecurrentRunState opened_recurrent(const std::string& folder);

class RecurrentDesk {
 public:
  // `wake`: something new can be taken. Called on the thread.
  explicit RecurrentDesk(std::function<void()> wake) : wake_(std::move(wake)) {}

  // All three do nothing while it is busy(). `folder` empty: it is kept nowhere.
  void train(const NewRecurrentRun& recipe, const std::string& name, const std::string& folder);
  void open(const std::string& folder);
  // From the last save in its folder, to the bit; does nothing unless that can_resume(). `threads` 0: all
  // cores.
  void resume(int threads);
  // Soon; what it has learned until then is saved.
  void stop();
  // The same, and waits for it. A sentence when what it has learned could not be saved; else empty.
  std::string finish();
  // Is looked at, the nearest of the kept ones; nothing: the model again.
  void show_step(std::optional<long> step);
  void keep_history(std::size_t bytes);  // of this one and those to come
  bool busy() const { return shown_ && (shown_->preparing || shown_->running); }  // it learns, or is read
  bool stopping() const { return stop_; }

  // What is new is shown from here on.
  void take();
  std::shared_ptr<const RecurrentRunState> shown() const { return shown_; }  // null: there is none
  // The last one that is over, when that was not taken before; null: none.
  std::shared_ptr<const RecurrentRunState> take_ended() { return std::exchange(ended_, nullptr); }

 private:
  using Thread = RunThreadOf<RecurrentModel<float>>;
  void begin(RecurrentRunState state, Thread::Make make);
  void take(const RunUpdateOf<RecurrentModel<float>>& update);
  void show(RecurrentRunState state);

  std::function<void()> wake_;
  std::shared_ptr<const RecurrentRunState> shown_, ended_;
  bool stop_ = false;
  std::size_t history_ = 0;
  std::future<RecurrentRunState> reading_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace glassformer
