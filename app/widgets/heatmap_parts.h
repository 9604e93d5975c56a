// What the heatmap's layout and its drawing share.
#pragma once

#include <string>
#include <string_view>

#include "app/format/number_format.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

inline constexpr float kColumnLine = 15;  // of column words that stand in several

inline std::string cell_number(float value, int decimals, const HeatmapOptions& options) {
  const double number = static_cast<double>(value) * options.number_factor;
  if (!std::isfinite(number)) return {};
  return options.scale == ColorScale::weight ? format_weight_cell(number)
                                             : format_signed_cell(number, decimals);
}

// Code points: how many letters of a mono font a text takes.
inline int letters(std::string_view utf8) {
  int count = 0;
  for (char c : utf8) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace glassformer
