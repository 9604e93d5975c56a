#include "engine/train/step_series.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace glassformer {
namespace {

constexpr std::array kFields = {&StepPoint::loss, &StepPoint::learning_rate, &StepPoint::gradient_norm,
                                &StepPoint::tokens_per_s};

// Keeps the extremes of what it is shown, one place after another.
template <class Points>
void widen(const Points& points, float StepPoint::*value, std::size_t at, StepSeries::Extremes& so_far) {
  const float here = points[at].*value, low = points[so_far.low].*value, high = points[so_far.high].*value;
  if (here < low || (std::isnan(low) && !std::isnan(here))) so_far.low = at;
  if (here > high || (std::isnan(high) && !std::isnan(here))) so_far.high = at;
}

}  // namespace

void StepSeries::push_back(const StepPoint& point) {
  tail_.push_back(point);
  if (tail_.size() < kBlock) return;
  auto block = std::make_shared<Block>();
  std::ranges::copy(tail_, block->points.begin());
  for (std::size_t value = 0; value < kValues; ++value) {
    Extremes found;
    for (std::size_t i = 1; i < kBlock; ++i) widen(block->points, kFields[value], i, found);
    block->low[value] = static_cast<std::uint8_t>(found.low);
    block->high[value] = static_cast<std::uint8_t>(found.high);
  }
  full_.push_back(std::move(block));
  tail_.clear();
}

const StepPoint& StepSeries::at(std::size_t i) const {
  if (i >= size()) throw std::out_of_range("there is no such step");
  return (*this)[i];
}

StepSeries::Extremes StepSeries::extremes(float StepPoint::*value, std::size_t from, std::size_t to) const {
  static_assert(kFields.size() == kValues);
  const auto field = static_cast<std::size_t>(std::ranges::find(kFields, value) - kFields.begin());
  Extremes found{from, from};
  std::size_t i = from;
  while (i < to) {
    if (i % kBlock != 0 || i + kBlock > to || i / kBlock >= full_.size()) {
      widen(*this, value, i++, found);
      continue;
    }
    const Block& block = *full_[i / kBlock];
    for (const std::uint8_t place : {block.low[field], block.high[field]})
      widen(*this, value, i + place, found);
    i += kBlock;
  }
  return found;
}

}  // namespace glassformer
