// Threads that share the pieces of one piece of work.
//
// The pieces (tiles of rows, sentences) are cut by the caller from the data alone, each writes its own
// output, and each sum runs in one fixed order inside a piece. Which thread takes which piece is left to
// chance, so the result has the same bits on any number of threads. The caller takes part and waits for
// pieces that somebody has begun, never for a thread: one that the system does not run holds up nobody.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace glassformer {

class WorkProfile;

class WorkerPool {
 public:
  // `threads` in all, the caller's own included; 1 starts none. Throws Error below 1.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) once for every i in [0, count), at most a million, and returns when all are done. The first
  // exception of a piece is thrown here after the others have ended. Calls from several threads take turns; a
  // piece must not call run itself.
  template <class Work>
  void run(int count, Work&& work) {
    using Plain = std::remove_reference_t<Work>;
    run_pieces(
        count, [](void* context, int piece) { (*static_cast<Plain*>(context))(piece); },
        const_cast<std::remove_const_t<Plain>*>(std::addressof(work)));
  }

 private:
  using Piece = void (*)(void* context, int piece);
  void run_pieces(int count, Piece piece, void* context);
  void serve();
  void work_off();

  // Who takes the next piece: the number of the run, how many pieces it has, and the next one, in one word,
  // so that a piece can only be taken from the run that is under way.
  struct Ticket {
    std::uint64_t bits;
    static constexpr int kBits = 20;
    static constexpr std::uint64_t kMost = (std::uint64_t{1} << kBits) - 1;
    std::uint64_t run() const { return bits >> 2 * kBits; }
    std::uint64_t count() const { return bits >> kBits & kMost; }
    std::uint64_t next() const { return bits & kMost; }
  };

  std::vector<std::thread> workers_;
  std::mutex turn_;   // one run at a time
  std::mutex mutex_;  // guards sleeping
  std::condition_variable wake_;
  std::atomic<std::uint64_t> ticket_{0};  // bits of a Ticket
  std::atomic<std::uint64_t> done_{0};    // pieces of this run
  std::atomic<int> sleeping_{0};
  std::atomic<bool> ending_{false};
  Piece piece_ = nullptr;
  void* context_ = nullptr;
  WorkProfile* profile_ = nullptr;  // of the caller
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

// Runs pieces on the pool, or here when there is none or only one piece.
template <class Work>
void run_on(WorkerPool* pool, int count, Work&& work) {
  if (pool != nullptr && count > 1) {
    pool->run(count, work);
  } else {
    for (int i = 0; i < count; ++i) work(i);
  }
}

}  // namespace glassformer
