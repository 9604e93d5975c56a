// Floats in JSON without digits that they do not have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace glassformer {

// The double whose shortest spelling is the float's own: 0.1f is written 0.1 and read back as the same float.
// Null for what is not finite.
nlohmann::json short_number(float value);

// The points of a run's steps: a day of training has a million of them. They lie in blocks that never change
// once they are full, so that a copy for the screen shares them, and each block knows the extremes of its
// parts, so that a chart need not look at every point.

// One training step. The loss is that of the batch, before the step, with dropout.
struct StepPoint {
  float loss = 0;  // label-smoothed, mean per target token
  float learning_rate = 0;
  float gradient_norm = 0;  // global L2, before clipping
  float tokens_per_s = 0;   // source + target; the one figure that differs from run to run
};

class StepSeries {
 public:
  class Iterator;

  void push_back(const StepPoint& point);
  std::size_t size() const { return full_.size() * kBlock + tail_.size(); }
  bool empty() const { return size() == 0; }
  const StepPoint& operator[](std::size_t i) const {
    const std::size_t block = i / kBlock;
    return block < full_.size() ? full_[block]->points[i % kBlock] : tail_[i % kBlock];
  }
  const StepPoint& at(std::size_t i) const;  // throws std::out_of_range
  const StepPoint& front() const { return (*this)[0]; }
  const StepPoint& back() const { return (*this)[size() - 1]; }
  Iterator begin() const;
  Iterator end() const;

  // So many points make a part: extremes are quickest from a multiple of it to another.
  static constexpr std::size_t kPart = 16;

  // Where one value is smallest and largest among the points from `from` on, before `to`; the first such
  // place. The range must not be empty. A value that is no number is neither, unless all are none.
  struct Extremes {
    std::size_t low = 0, high = 0;
  };
  Extremes extremes(float StepPoint::*value, std::size_t from, std::size_t to) const;

 private:
  static constexpr std::size_t kBlock = 256, kParts = kBlock / kPart, kValues = 4;
  struct Summary {
    std::array<std::uint8_t, kParts> low, high;  // places in the block, one a part
    std::uint8_t lowest, highest;                // of all parts
  };
  struct Block {
    std::array<StepPoint, kBlock> points;
    std::array<Summary, kValues> of;
  };

  std::vector<std::shared_ptr<const Block>> full_;
  std::vector<StepPoint> tail_;  // fewer than a block
};

class StepSeries::Iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = StepPoint;
  using difference_type = std::ptrdiff_t;
  using pointer = const StepPoint*;
  using reference = const StepPoint&;

  Iterator() = default;
  Iterator(const StepSeries& series, std::size_t at) : series_(&series), at_(at) {}
  reference operator*() const { return (*series_)[at_]; }
  pointer operator->() const { return &(*series_)[at_]; }
  Iterator& operator++() { return ++at_, *this; }
  Iterator operator++(int) { return Iterator(*series_, at_++); }
  bool operator==(const Iterator& other) const = default;

 private:
  const StepSeries* series_ = nullptr;
  std::size_t at_ = 0;
};

inline StepSeries::Iterator StepSeries::begin() const {
  return {*this, 0};
}
inline StepSeries::Iterator StepSeries::end() const {
  return {*this, size()};
}

}  // namespace glassformer
