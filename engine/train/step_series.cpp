#include "engine/train/step_series.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace glassformer {

nlohmann::json short_number(float value) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 32> text = {};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double same = value;
  std::from_chars(text.data(), written.ptr, same);
  return same;
}

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
    Summary& summary = block->of[value];
    Extremes whole;
    for (std::size_t part = 0; part < kParts; ++part) {
      Extremes found{part * kPart, part * kPart};
      for (std::size_t i = part * kPart; i < (part + 1) * kPart; ++i) {
        widen(block->points, kFields[value], i, found);
        widen(block->points, kFields[value], i, whole);
      }
      summary.low[part] = static_cast<std::uint8_t>(found.low);
      summary.high[part] = static_cast<std::uint8_t>(found.high);
    }
    summary.lowest = static_cast<std::uint8_t>(whole.low);
    summary.highest = static_cast<std::uint8_t>(whole.high);
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
    const std::size_t block = i / kBlock, place = i % kBlock;
    if (place % kPart != 0 || i + kPart > to || block >= full_.size()) {
      widen(*this, value, i++, found);
      continue;
    }
    const Summary& summary = full_[block]->of[field];
    const bool whole = place == 0 && i + kBlock <= to;
    const std::size_t part = place / kPart;
    widen(*this, value, i - place + (whole ? summary.lowest : summary.low[part]), found);
    widen(*this, value, i - place + (whole ? summary.highest : summary.high[part]), found);
    i += whole ? kBlock : kPart;
  }
  return found;
}

}  // namespace glassformer
