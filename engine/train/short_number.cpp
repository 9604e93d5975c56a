#include "engine/train/short_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace glassformer {

nlohmann::json short_number(float value) {
  if (!std::isfinite(value)) return nullptr;
  std::array<char, 32> text = {};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double same = value;
  std::from_chars(text.data(), written.ptr, same);
  return same;
}

}  // namespace glassformer
