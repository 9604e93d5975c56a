#include "engine/math/work_profile.h"

namespace glassformer {

constinit thread_local ThreadClock thread_clock;

void ThreadClock::change(Work next) {
  const Time now = std::chrono::steady_clock::now();
  nanoseconds[static_cast<std::size_t>(kind)] +=
      static_cast<long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now - since).count());
  kind = next;
  since = now;
}

Measuring::Measuring(WorkProfile* profile) : profile_(profile) {
  if (profile_ == nullptr) return;
  thread_clock = {.profile = profile_, .since = std::chrono::steady_clock::now()};
}

Measuring::~Measuring() {
  if (profile_ == nullptr) return;
  thread_clock.change(Work::other);
  for (std::size_t i = 0; i < kWorkKinds; ++i) {
    profile_->nanoseconds_[i] += thread_clock.nanoseconds[i];
    profile_->flop_[i] += thread_clock.flop[i];
  }
  thread_clock.profile = nullptr;
}

void Doing::begin(Work kind, double flop) {
  measured_ = true;
  before_ = thread_clock.kind;
  thread_clock.change(kind);
  thread_clock.flop[static_cast<std::size_t>(kind)] += static_cast<long>(flop);
}

}  // namespace glassformer
