// What an expression can become whatever is done on the stage: "weights[0, 1] > 2" never holds.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "app/lessons/expression.h"

namespace glassformer {

struct ValueRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

// Of every name the numbers that it can have, and whether it can be a word. Both must allow what they do not
// know.
struct NameRanges {
  std::function<ValueRange(const std::string& before, const std::string& name)> numbers;
  std::function<bool(const std::string& name, const std::string& word)> words;
};

// False only where the expression, as a condition, is 0 for all values that its names can have.
bool can_hold(const Expression& condition, const NameRanges& names);

}  // namespace glassformer
