#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/heatmap.h"
#include "app/widgets/heatmap_parts.h"

namespace glassformer {
namespace {

constexpr int kTextureFrom = 64;     // more rows or columns than this: one texture
constexpr float kGapFrom = 12;       // smaller cells touch
constexpr float kLabelRowFrom = 14;  // lower rows have no words
constexpr float kBarWidth = 12, kBarGap = 18, kBarValues = 34;

const TextStyle kWord{.size = 12}, kBoldWord{.font = Font::semibold, .size = 12};

// 1, 2, 4, 5, 8, 10, 16, 20, ...: the first that leaves enough room.
int step_for(float pitch, float needed) {
  constexpr std::array kSteps = {1,  2,   4,   5,   8,   10,  16,  20,   32,  50,
                                 64, 100, 128, 200, 256, 500, 512, 1000, 1024};
  for (int step : kSteps) {
    if (static_cast<float>(step) * pitch >= needed) return step;
  }
  return 2048;
}

float widest(const Canvas& canvas, const std::vector<std::string>& words, const TextStyle& style) {
  float width = 0;
  for (const std::string& word : words) width = std::max(width, canvas.measure(word, style).x);
  return width;
}

float title_width(const Canvas& canvas, const AxisTitle& title) {
  if (title.word.empty()) return 0;
  float width = canvas.measure(title.word, kBoldWord).x + (title.badge == Badge::none ? 0 : 26);
  if (!title.note.empty()) width += canvas.measure("(" + title.note + ")", kWord).x + 4;
  return width;
}

// Enough of the words fit their column to be of use; the rest are cut.
bool words_fit(const Canvas& canvas, const std::vector<std::string>& words, float width) {
  std::size_t fit = 0;
  for (const std::string& word : words) {
    if (canvas.measure(word, {.size = 10}).x <= width) ++fit;
  }
  return width >= 20 && fit * 10 >= words.size() * 6;
}

// Numbers: as large and as exact as the narrowest cell allows; none rather than a cut one.
void choose_numbers(HeatmapLayout& layout, const HeatmapData& data, const HeatmapOptions& options) {
  const float width = layout.cell_width - layout.gap, height = layout.cell_height - layout.gap;
  layout.number_size = std::min(width, height) >= 36 ? 12 : 11;
  if (!options.numbers || layout.texture || width < 16 || height < layout.number_size + 3) return;
  const float letter = 0.6f * layout.number_size;  // JetBrains Mono
  const auto fits = [&](int decimals) {
    for (int row = 0; row < data.values.rows; ++row) {
      for (int column = 0; column < data.values.columns; ++column) {
        if (data.masked && data.masked(row, column)) continue;
        const std::string text = cell_number(data.values(row, column), decimals, options);
        if (static_cast<float>(letters(text)) * letter + 2 > width) return false;
      }
    }
    return true;
  };
  const int most = options.decimals >= 0 ? options.decimals : 1;
  for (int decimals = most; decimals >= 0; --decimals) {
    if (decimals == 0 && most > 0 && options.decimals < 0 && data.values.rows > 0 &&
        layout.limit * options.number_factor < 10) {
      return;  // whole numbers would say nothing
    }
    if (fits(decimals)) {
      layout.numbers = true;
      layout.decimals = decimals;
      return;
    }
    if (options.scale == ColorScale::weight) return;
  }
}

}  // namespace

Rect HeatmapLayout::cell(int row, int column) const {
  return {cells.x + static_cast<float>(column) * cell_width, cells.y + static_cast<float>(row) * cell_height,
          cell_width - gap, cell_height - gap};
}

HeatmapLayout layout_heatmap(const Canvas& canvas, const Rect& area, const HeatmapData& data,
                             const HeatmapOptions& options) {
  HeatmapLayout layout;
  const auto rows = static_cast<float>(std::max(1, data.values.rows));
  const auto columns = static_cast<float>(std::max(1, data.values.columns));
  layout.texture = data.values.rows > kTextureFrom || data.values.columns > kTextureFrom;
  layout.limit = options.limit;
  if (layout.limit <= 0)
    layout.limit = options.scale == ColorScale::weight ? 1 : round_limit(largest_magnitude(data));

  // Margins above and below.
  const bool titled =
      !options.column_title.word.empty() || (!options.row_title.word.empty() && options.columns_below);
  const bool labels_above = (options.show_column_labels && !options.columns_below) ||
                            !options.row_title.word.empty() || !options.right_title.empty();
  layout.top = titled && labels_above ? 56 : titled ? 30 : labels_above ? 32 : 0;
  const float bottom = options.show_column_labels && options.columns_below ? 26 : 0;

  // Rows first: words only when a row is high enough for them.
  float height = std::floor((area.height - layout.top - bottom) / rows);
  height = std::clamp(height, static_cast<float>(options.min_cell), static_cast<float>(options.max_cell));
  layout.row_words = !options.row_labels.empty() && height >= kLabelRowFrom && !layout.texture;
  float left = 0;
  if (options.show_row_labels) {
    left = layout.row_words ? std::min(widest(canvas, options.row_labels, kBoldWord) + 25, area.width * 0.3f)
                            : 40;
  }
  if (!options.row_title.word.empty()) left = std::max(left, title_width(canvas, options.row_title) + 14);
  layout.left = std::ceil(left);
  if (!options.writes.empty()) {
    const float words = std::max(widest(canvas, options.writes, kBoldWord) + 22,
                                 canvas.measure(options.writes_title, kBoldWord).x + 8);
    layout.right = std::ceil(std::min(words, area.width * 0.25f));
  } else if (!options.right_values.empty()) {
    layout.right = std::ceil(widest(canvas, options.right_values, {.font = Font::mono, .size = 12}) + 10);
  }
  const float bar = options.color_bar ? kBarGap + kBarWidth + kBarValues : 0;

  // The largest whole-pixel cell.
  const float room = area.width - layout.left - layout.right - bar;
  float width = std::floor(room / columns);
  if (layout.texture && (width < 1 || area.height - layout.top - bottom < rows)) {
    // Less than a pixel a cell: fill the room.
    width = std::max(8.0f, room) / columns;
    height = std::max(8.0f, area.height - layout.top - bottom) / rows;
    if (options.max_aspect <= 1) width = height = std::min(width, height);
  } else {
    const float least = layout.texture ? 1 : static_cast<float>(options.min_cell);
    if (layout.texture) height = std::max(1.0f, std::floor((area.height - layout.top - bottom) / rows));
    width = std::clamp(
        width, least, std::max(least, std::floor(static_cast<float>(options.max_cell) * options.max_aspect)));
    width = std::min(width, std::floor(height * options.max_aspect));
    height = std::min(height, width);
    width = std::max(width, least);
    height = std::max(height, least);
  }
  layout.cell_width = width;
  layout.cell_height = height;
  layout.gap = !layout.texture && std::min(width, height) >= kGapFrom ? 1 : 0;
  layout.row_words = layout.row_words && height >= kLabelRowFrom;
  layout.cells = {area.x + layout.left, area.y + layout.top, columns * width - layout.gap,
                  rows * height - layout.gap};

  // Labels that do not fit give way to indices.
  if (!layout.row_words) layout.row_step = step_for(height, 16);
  layout.column_words = !options.column_indices && !options.column_labels.empty() && !layout.texture &&
                        words_fit(canvas, options.column_labels, width - 2);
  if (!layout.column_words) {
    const float digits = static_cast<float>(std::to_string(data.values.columns).size());
    layout.column_step = step_for(width, digits * 6.6f + 6);
  }
  choose_numbers(layout, data, options);

  float right = layout.cells.right() + layout.right;
  if (options.color_bar) {
    layout.color_bar = {right + kBarGap, layout.cells.y, kBarWidth, layout.cells.height};
    right = layout.color_bar.right() + kBarValues;
  }
  layout.bounds = {area.x, area.y, right - area.x, layout.cells.bottom() + bottom - area.y};
  return layout;
}

}  // namespace glassformer
