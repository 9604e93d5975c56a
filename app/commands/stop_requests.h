// Ctrl-C and the polite kill as questions that the work asks, not as interruptions of it.
#pragma once

#include <csignal>

namespace glassformer {

// From its making on, SIGINT, SIGTERM and SIGHUP (a terminal that closes; not under nohup) wait to be asked
// for; threads started later inherit that.
class StopRequests {
 public:
  StopRequests() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    struct sigaction hang_up {};
    sigaction(SIGHUP, nullptr, &hang_up);
    if (hang_up.sa_handler != SIG_IGN) sigaddset(&signals_, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  // True from the first such signal on.
  bool asked() {
    const timespec no_wait{};
    if (!asked_) asked_ = sigtimedwait(&signals_, nullptr, &no_wait) > 0;
    return asked_;
  }

 private:
  sigset_t signals_;
  bool asked_ = false;
};

}  // namespace glassformer
