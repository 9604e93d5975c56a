// What the heatmap's layout and its drawing share.
#pragma once

#include <string>
#include <string_view>

#include "app/format/number_format.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

inline constexpr float kColumnLine = 15;  // of column words on several lines

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

inline constexpr float kKeyLine = 15, kKeyGap = 8;  // lines of the key, and the gap over them

// What is over a column whose words take so many lines.
inline float column_room(const HeatmapLayout& layout) {
  const auto levels = static_cast<float>(layout.column_levels);
  return levels * layout.cell_width - (layout.column_levels > 1 ? 5.0f : 2.0f);
}
inline constexpr float kLabelGap = 16;  // between a row's word and its cells

// A word over a column, and one beside a row, as there is room for it. Measured as when it is pinned.
inline std::string column_word(const Canvas& canvas, const HeatmapLayout& layout, const std::string& word) {
  return elided(canvas, word, {.font = Font::semibold, .size = layout.column_size},
                column_room(layout) + 0.5f);
}
inline std::string row_word(const Canvas& canvas, const HeatmapLayout& layout, const std::string& word) {
  return elided(canvas, word, {.font = Font::semibold, .size = layout.row_size}, layout.left - kLabelGap - 8);
}
// For words cut or shown as indices: "0 the, 1 tired", or "extra… = extraordinary", in lines of this
// width, those of the rows first. Empty where all are whole.
std::vector<std::string> words_key(const Canvas& canvas, const HeatmapOptions& options,
                                   const HeatmapLayout& layout, float width);
void draw_words_key(Canvas& canvas, const HeatmapLayout& layout, Point top_left);

}  // namespace glassformer
