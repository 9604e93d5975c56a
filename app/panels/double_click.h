// Two clicks on one number, one soon after the other, lead deeper, as Enter does.
#pragma once

#include <optional>
#include <utility>

#include "app/scene/selection.h"

namespace glassformer {

class DoubleClick {
 public:
  void click(const std::optional<CellRef>& cell, double time) {
    constexpr double kSoon = 0.4;  // s
    const bool twice = cell && cell == picked_ && time - picked_at_ < kSoon;
    twice_ = twice_ || twice;
    picked_ = twice ? std::nullopt : cell;
    picked_at_ = time;
  }
  bool take() { return std::exchange(twice_, false); }
  // The clicks so far are spent.
  void forget() { picked_.reset(), twice_ = false; }

 private:
  std::optional<CellRef> picked_;  // by the last click
  double picked_at_ = 0;           // s
  bool twice_ = false;
};

}  // namespace glassformer
