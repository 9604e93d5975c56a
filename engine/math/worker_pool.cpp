#include "engine/math/worker_pool.h"

#include <string>
#include <system_error>

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
  workers_.reserve(static_cast<std::size_t>(threads) - 1);
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // The system starts no more: fewer threads give the same results.
  }
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
  const auto pieces = static_cast<std::uint64_t>(count);
  if (pieces > Ticket::kMost) throw Error("threads", "too many pieces of work: " + std::to_string(count));
  const std::lock_guard turn(turn_);
  piece_ = piece;
  context_ = context;
  profile_ = thread_clock.profile;
  failure_ = nullptr;
  done_ = 0;

  // A worker that is about to sleep either sees the new run or has counted itself as sleeping.
  const std::uint64_t run = Ticket{ticket_}.run() + 1;
  ticket_ = run << 2 * Ticket::kBits | pieces << Ticket::kBits;
  if (sleeping_ > 0) {
    { const std::lock_guard lock(mutex_); }
    wake_.notify_all();
  }
  work_off();
  const Doing waiting(Work::waiting);
  for (int look = 0; done_ < pieces; ++look) {
    if (look < kPatience) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

// Takes pieces until none is left. What belongs to a run is looked at only with a piece
// of it in hand, which keeps the run from ending.
void WorkerPool::work_off() {
  Ticket ticket{ticket_};
  while (ticket.next() < ticket.count()) {
    if (!ticket_.compare_exchange_weak(ticket.bits, ticket.bits + 1)) continue;
    try {
      const Measuring measuring(thread_clock.profile == nullptr ? profile_ : nullptr);
      piece_(context_, static_cast<int>(ticket.next()));
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    ++done_;
    ticket.bits = ticket_;
  }
}

void WorkerPool::serve() {
  while (true) {
    const std::uint64_t seen = Ticket{ticket_}.run();
    work_off();
    const auto nothing_new = [&] { return Ticket{ticket_}.run() == seen && !ending_; };
    for (int look = 0; nothing_new() && look < kPatience; ++look) relax();
    if (nothing_new()) {
      std::unique_lock lock(mutex_);
      ++sleeping_;
      wake_.wait(lock, [&] { return !nothing_new(); });
      --sleeping_;
    }
    if (ending_) return;
  }
}

}  // namespace glassformer
