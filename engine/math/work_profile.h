// Where the time goes: seconds and arithmetic by kind of work, over all threads that work on something.
//
//   WorkProfile profile;
//   {
//     const Measuring measuring(&profile);  // this thread, and the pool's threads that work for it
//     train();
//   }
//   profile.seconds(Work::product)
//
// Whoever computes says so with a Doing; kinds that happen inside another are counted as themselves alone.
// Without a Measuring on this thread a Doing is one look at a pointer.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace glassformer {

enum class Work { other, product, attention, softmax, norm, dropout, loss, adam, waiting };
constexpr std::size_t kWorkKinds = 9;

// Sums over threads; may be read while others add to it.
class WorkProfile {
 public:
  double seconds(Work kind) const { return static_cast<double>(nanoseconds_[index(kind)]) * 1e-9; }
  double flop(Work kind) const { return static_cast<double>(flop_[index(kind)]); }

 private:
  friend class Measuring;
  static std::size_t index(Work kind) { return static_cast<std::size_t>(kind); }

  std::array<std::atomic<long>, kWorkKinds> nanoseconds_{}, flop_{};
};

// What one thread is doing. The one number of the program that belongs to a thread: handing it through every
// layer would make them harder to read.
struct ThreadClock {
  using Time = std::chrono::steady_clock::time_point;

  WorkProfile* profile = nullptr;  // null: nobody measures
  Work kind = Work::other;
  Time since{};
  std::array<long, kWorkKinds> nanoseconds{}, flop{};  // not yet in the profile

  void change(Work next);
};
extern constinit thread_local ThreadClock thread_clock;

// While it lives, this thread's work counts for `profile`. Null changes nothing.
class Measuring {
 public:
  explicit Measuring(WorkProfile* profile);
  ~Measuring();
  Measuring(const Measuring&) = delete;
  Measuring& operator=(const Measuring&) = delete;

 private:
  WorkProfile* profile_;
};

// From here to the end of the block this thread does one kind of work: so many additions and multiplications.
class Doing {
 public:
  explicit Doing(Work kind, double flop = 0) {
    if (thread_clock.profile != nullptr) begin(kind, flop);
  }
  ~Doing() {
    if (measured_) thread_clock.change(before_);
  }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

 private:
  void begin(Work kind, double flop);

  bool measured_ = false;
  Work before_ = Work::other;
};

}  // namespace glassformer
