#include "engine/math/worker_pool.h"

#include <string>

#include "engine/math/error.h"
#include "engine/math/work_profile.h"

namespace glassformer {
namespace {

// How often a thread looks again before it goes to sleep: some tens of microseconds, longer than the gaps
// inside a training step.
constexpr int kPatience = 4000;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

WorkerPool::WorkerPool(int threads) {
  if (threads < 1) throw Error("threads", "expected at least 1, found " + std::to_string(threads));
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::run_pieces(int count, Piece piece, void* context) {
  if (count <= 0) return;
  const std::lock_guard turn(turn_);
  count_ = count;
  piece_ = piece;
  context_ = context;
  profile_ = thread_clock.profile;
  failure_ = nullptr;
  next_ = 0;
  idle_ = 0;

  // A worker that is about to sleep either sees the new round or has counted itself as sleeping.
  ++round_;
  if (sleeping_ > 0) {
    { const std::lock_guard lock(mutex_); }
    wake_.notify_all();
  }
  work_off();
  const Doing waiting(Work::waiting);
  for (int look = 0; idle_ < static_cast<int>(workers_.size()); ++look) {
    if (look < kPatience) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

void WorkerPool::work_off() {
  for (int i = next_++; i < count_; i = next_++) {
    try {
      piece_(context_, i);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

void WorkerPool::serve() {
  std::uint64_t seen = 0;
  while (true) {
    for (int look = 0; round_ == seen && !ending_ && look < kPatience; ++look) relax();
    if (round_ == seen) {
      std::unique_lock lock(mutex_);
      ++sleeping_;
      wake_.wait(lock, [&] { return round_ != seen || ending_; });
      --sleeping_;
    }
    if (round_ == seen) return;  // the end
    ++seen;
    {
      const Measuring measuring(profile_);
      work_off();
    }
    ++idle_;
  }
}

}  // namespace glassformer
