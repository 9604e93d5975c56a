// What the thread of a run does and knows: steps, validations, looks at the held-out sentences, saves, and
// the wishes in between. Internal to run_thread.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "app/session/processor_share.h"
#include "app/session/run_thread.h"

namespace glassformer {

// What the thread itself knows; nobody else touches it.
template <class Model>
class RunThreadOf<Model>::Loop {
 public:
  explicit Loop(RunThreadOf& owner) : owner_(owner), running_(owner.options_.running) {}

  void run();
  void set_running(bool running);
  void resume();  // unless it is over
  void step_once();
  void change(const SetLearning& wish, long at_step);
  void keep_history(std::size_t bytes);
  void save();  // into the run's own folder
  void save_copy(const std::string& folder);
  std::string finish_saving();  // what is not saved yet; a sentence when that failed
  void keep_in(const std::string& folder);

 private:
  void prepare();
  void make_way();
  void train();
  bool serve_wishes();
  void step();
  bool validate_if_due();
  void look_at_held_out();
  double seconds_left();
  void publish();
  void hand_over();
  bool given_up();
  bool keep_going();
  bool behind() const;
  void save_by(const std::function<void()>& write);
  void save_now_and_then();
  void save_if_behind();

  RunThreadOf& owner_;
  std::unique_ptr<Training<Model>> trainer_;
  RunUpdateOf<Model> update_;
  bool running_;
  long saved_step_ = 0;
  bool ever_saved_ = false;
  bool changed_ = false;  // its settings, since then
  std::string error_;     // that ended the training
  struct Pace {
    double seconds = 0;  // spent in training
    long step = 0;
  };
  std::deque<Pace> paces_;  // of the last minute
  ProcessorShare share_;    // while it works
  double publish_cost_ = 0, save_cost_ = 0;
  std::chrono::steady_clock::time_point published_ = std::chrono::steady_clock::now(),
                                        saved_ = std::chrono::steady_clock::now();
};

}  // namespace glassformer
