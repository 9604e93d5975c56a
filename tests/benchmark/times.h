// Times as the benchmark takes them.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace glassformer {

using BenchClock = std::chrono::steady_clock;

inline double seconds_since(BenchClock::time_point start) {
  return std::chrono::duration<double>(BenchClock::now() - start).count();
}

// Of at least one value; the upper one of an even number.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Median seconds of a call, after a warm-up.
inline double median_seconds(double budget, const std::function<void()>& work) {
  for (int i = 0; i < 3; ++i) work();
  std::vector<double> times;
  const auto start = BenchClock::now();
  while (times.size() < 5 || seconds_since(start) < budget) {
    const auto begin = BenchClock::now();
    work();
    times.push_back(seconds_since(begin));
  }
  return median(std::move(times));
}

inline double longest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

}  // namespace glassformer
