// Random numbers that are the same on every machine: integer arithmetic and a normal transform of our own,
// never the distributions of the standard library, which may differ from one to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace glassformer {

// Scrambles 64 bits so that neighbouring inputs give unrelated outputs (the finalizer of splitmix64).
std::uint64_t scramble(std::uint64_t bits);

// A seed for one purpose out of a seed for everything: the same pair always gives the same result.
std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t purpose);

// A sequence of random numbers that its state (one number) describes whole.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();                     // 64 random bits
  double uniform();                         // 0 <= u < 1
  double uniform(double low, double high);  // low <= u < high
  double normal();                          // mean 0, standard deviation 1
  int below(int limit);                     // 0 <= i < limit, every i as likely; limit >= 1

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }

  std::uint64_t state() const { return state_; }  // Random(state()) continues from here

 private:
  std::uint64_t state_;
};

}  // namespace glassformer
