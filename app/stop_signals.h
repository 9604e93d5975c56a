// The polite ways to end a program from outside (Ctrl-C, kill, a terminal or a desktop session that closes)
// as questions that the work asks, so that it ends as if it had been stopped on screen: nothing is lost.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace glassformer {

// From its making on, SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) wait to be asked for;
// threads that are started later inherit that, so it comes before them all.
class StopSignals {
 public:
  explicit StopSignals(std::function<void()> wake = {});  // called on its own thread when one came
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  bool asked() const { return asked_; }

 private:
  void watch();

  sigset_t signals_;
  int handle_ = -1, end_ = -1;
  std::atomic<bool> asked_ = false;
  std::function<void()> wake_;
  std::thread thread_;
};

}  // namespace glassformer
