// Times as `glassformer bench` takes them.
#pragma once

#include <algorithm>
#include <chrono>
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

inline double longest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

}  // namespace glassformer
