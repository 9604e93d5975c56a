// Threads that share the pieces of one piece of work.
//
// The pieces (tiles of rows, sentences) are cut by the caller from the data alone, each writes its own
// output, and each sum runs in one fixed order inside a piece. Which thread takes which piece is left to
// chance, so the result has the same bits on any number of threads.
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

  // Calls work(i) once for every i in [0, count) and returns when all are done. The first exception of a
  // piece is thrown here after the others have ended. Calls from several threads take turns; a piece must not
  // call run itself.
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

  std::vector<std::thread> workers_;
  std::mutex turn_;   // one run at a time
  std::mutex mutex_;  // guards sleeping
  std::condition_variable wake_;
  std::atomic<std::uint64_t> round_{0};  // counts runs; workers wait for it to change
  std::atomic<int> idle_{0};             // workers that have finished this round
  std::atomic<int> sleeping_{0};
  std::atomic<bool> ending_{false};
  std::atomic<int> next_{0};  // the next piece to take
  int count_ = 0;
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
