// A training run on a thread of its own. The screen sends wishes and, once a frame, takes out what is new;
// neither side waits for the other, but where one ends. The thread runs at a lower priority, so that the
// window stays lively on two cores.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/scene/command.h"
#include "app/scene/run_state.h"
#include "engine/train/trainer.h"

namespace glassformer {

// What the run has become since it was last asked.
template <class Model>
struct RunUpdateOf {
  RunState state;
  std::shared_ptr<const SnapshotOf<Model>>
      snapshot;                             // the newest published weights; null before there are any
  typename HistoryOf<Model>::Kept history;  // the steps that can be looked back at, in order
  Tokenizers tokenizers;
  std::string save_error;                // a sentence when a save failed; said once
  std::string saved_to;                  // a folder that was asked for and is written; said once
  std::string copy_error;                // a sentence when that failed; said once
  std::string moved_to;                  // the folder that the run is kept in from now on; said once
  std::optional<Extension> extended_by;  // what the plan was extended by; said once
  bool written_anew = false;             // its folder was gone, and all of it is there again; said once
  bool in_folder = false;                // a model is in the run's folder
  bool ended = false;                    // the thread is over: nothing will be carried out any more
};

// Of a model of either kind.
template <class Model>
class RunThreadOf {
 public:
  // Makes the trainer, on the thread: reading data may take seconds. Progress as in prepare_data; throws
  // Error.
  using Make = std::function<std::unique_ptr<Training<Model>>(const DataProgress&)>;

  struct Options {
    std::string folder;                       // where the run is kept; empty: nowhere
    bool running = false;                     // train at once, else wait for go()
    std::size_t history = 0;                  // bytes for the weights of earlier steps; 0: no more are kept
    bool moments = false;                     // as want_moments()
    std::vector<HeldOutSentence> looks = {};  // what was made of the held-out sentences before
    std::function<void()> wake;               // something new can be taken
  };

  RunThreadOf(Make make, Options options);
  ~RunThreadOf();  // as end()
  RunThreadOf(const RunThreadOf&) = delete;
  RunThreadOf& operator=(const RunThreadOf&) = delete;

  void go();      // a run that is over is extended
  void resume();  // unless it is over
  void pause();
  void one_step();
  // At this step; at once when that is over.
  void change(const SetLearning& wish, long at_step = 0);
  void keep_history(std::size_t bytes);
  // Gradients and moments with every newest state, or only when the run is paused: they are three quarters
  // of what is copied.
  void want_moments(bool wanted) { moments_ = wanted; }
  void save_copy(const std::string& folder);  // on the thread; reported in saved_to or copy_error
  void save();                                // what is not saved yet
  // The same in a new folder, in which the run is kept from then on; reported in moved_to.
  void keep_in(const std::string& folder);

  std::optional<RunUpdateOf<Model>> take();  // the newest state, once

  // Carries out what was asked for and saves what is not saved yet; returns a sentence when that failed. The
  // run waits then. Waits for a step. Nothing is saved of a run that is being prepared.
  std::string finish_saving();
  // As finish_saving(), then ends; also reports copies that failed and that take() has not reported. Waits
  // for data that are being prepared.
  std::string end();
  // The same without waiting: when it is over, the last update has the weights that translate.
  void ask_to_end();
  // Past preparing: there is something that end() may have to save.
  bool prepared() const;

 private:
  class Loop;
  void wish(std::function<void(Loop&)> what);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void(Loop&)>> wishes_;
  std::optional<RunUpdateOf<Model>> update_;
  bool ending_ = false, prepared_ = false, over_ = false;
  int waited_for_ = 0;      // finish_saving() waits: what takes long is given up
  std::string last_error_;  // of the save at the end
  std::atomic<bool> moments_;
  Make make_;
  Options options_;
  std::thread thread_;  // last: starts when all else is there
};

using RunUpdate = RunUpdateOf<Transformer<float>>;
using RunThread = RunThreadOf<Transformer<float>>;

}  // namespace glassformer
