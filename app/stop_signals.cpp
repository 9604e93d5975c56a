#include "app/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>

namespace glassformer {

StopSignals::StopSignals(std::function<void()> wake) : wake_(std::move(wake)) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaddset(&signals_, SIGHUP);
  handle_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  end_ = eventfd(0, EFD_CLOEXEC);
  if (handle_ < 0 || end_ < 0) return;
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread([this] { watch(); });
}

StopSignals::~StopSignals() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    if (::write(end_, &one, sizeof one) == sizeof one) thread_.join();
    // What waits has been answered: it must not end the program once it gets through.
    signalfd_siginfo waiting{};
    while (::read(handle_, &waiting, sizeof waiting) == sizeof waiting) continue;
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  }
  if (handle_ >= 0) ::close(handle_);
  if (end_ >= 0) ::close(end_);
}

void StopSignals::watch() {
  while (true) {
    std::array<pollfd, 2> waiting{{{handle_, POLLIN, 0}, {end_, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) return;
    signalfd_siginfo came{};
    if (::read(handle_, &came, sizeof came) != sizeof came) continue;
    asked_ = true;
    // It waits again, for whoever reads from a pipe to see (engine/files/read_file.h).
    ::kill(::getpid(), static_cast<int>(came.ssi_signo));
    if (wake_) wake_();
    return;
  }
}

}  // namespace glassformer
