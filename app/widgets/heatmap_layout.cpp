#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "app/widgets/heatmap.h"
#include "app/widgets/heatmap_parts.h"

namespace glassformer {
namespace {

constexpr int kTextureFrom = 64;       // more rows or columns than this: one texture
constexpr float kGapFrom = 12;         // smaller cells touch
constexpr float kLabelRowFrom = 14;    // lower rows have no words on screen
constexpr float kRowFromInFiles = 11;  // and in a file, where they are smaller in rows under 14
constexpr float kBarWidth = 12, kBarGap = 16, kBarValueGap = 7;
constexpr float kWordGap = 5;                                  // between two in one line
constexpr float kSmallestInFiles = 9, kSmallestOnScreen = 10;  // words over columns
constexpr float kOneLineFrom = 20, kLevelsFrom = 12;           // width of a column
constexpr int kMostLevels = 3;
constexpr float kLeastCut = 30;   // room from which a cut word says more than an index
constexpr float kStretchTo = 20;  // small cells grow to this at most in the direction that has room

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

float label_row_from(const Canvas& canvas) {
  return canvas.is_file() ? kRowFromInFiles : kLabelRowFrom;
}

// "<bos>" is nothing when it is cut.
bool is_mark(const std::string& word) {
  return word.size() > 2 && word.starts_with('<') && word.ends_with('>');
}

// How many of the words fit into this width, of all.
double share_that_fits(const Canvas& canvas, const std::vector<std::string>& words, float size, float width) {
  const TextStyle bold{.font = Font::semibold, .size = size};  // it may be pinned
  const auto fit = std::ranges::count_if(
      words, [&](const std::string& word) { return canvas.measure(word, bold).x <= width; });
  return words.empty() ? 1 : static_cast<double>(fit) / static_cast<double>(words.size());
}

// Words over columns of this width: all of them in the largest size and the fewest lines; on screen, where
// the mouse shows the rest of a word that is cut, most of them in one line. Nothing where indices do better.
struct ColumnWords {
  int levels = 1;
  float size = 12;
};
std::optional<ColumnWords> column_words(const Canvas& canvas, const std::vector<std::string>& words,
                                        float width) {
  constexpr double kMost = 0.6;  // of the words: of use, the rest cut
  const float smallest = canvas.is_file() ? kSmallestInFiles : kSmallestOnScreen;
  if (width >= kOneLineFrom)
    for (float size = 12; size >= smallest; size -= 1)
      if (share_that_fits(canvas, words, size, width - 2) == 1) return ColumnWords{1, size};
  if (width >= kOneLineFrom && !canvas.is_file() &&
      share_that_fits(canvas, words, smallest, width - 2) >= kMost)
    return ColumnWords{1, smallest};
  if (width < kLevelsFrom) return std::nullopt;
  const auto room = [&](int levels) { return static_cast<float>(levels) * width - kWordGap; };
  for (int levels = 2; levels <= kMostLevels; ++levels)
    for (float size = 12; size >= smallest; size -= 1)
      if (share_that_fits(canvas, words, size, room(levels)) == 1) return ColumnWords{levels, size};
  // What a file cuts is whole in the key below.
  std::vector<std::string> marks;
  std::ranges::copy_if(words, std::back_inserter(marks), is_mark);
  const bool marks_whole = share_that_fits(canvas, marks, smallest, room(kMostLevels)) == 1;
  if (canvas.is_file() && !marks_whole) return std::nullopt;
  const bool keyed = canvas.is_file() && room(kMostLevels) >= kLeastCut;
  if (keyed || share_that_fits(canvas, words, smallest, room(kMostLevels)) >= kMost)
    return ColumnWords{kMostLevels, smallest};
  return std::nullopt;
}

// What the end values of the colour bar take, the gap before them included.
float bar_values(const Canvas& canvas, const HeatmapOptions& options, double limit) {
  const TextStyle mono{.font = Font::mono, .size = 11};
  const std::string low = options.scale == ColorScale::weight ? "0" : format_short(-limit);
  return kBarValueGap +
         std::ceil(std::max(canvas.measure(format_short(limit), mono).x, canvas.measure(low, mono).x));
}

// The margins left and right of the cells, and the largest cell that fits between them: whole pixels while
// there is one for each.
Point fitted_cell(const Canvas& canvas, const Rect& area, float room_down, const HeatmapData& data,
                  const HeatmapOptions& options, HeatmapLayout& layout) {
  const auto rows = static_cast<float>(std::max(1, data.values.rows));
  const auto columns = static_cast<float>(std::max(1, data.values.columns));
  layout.left = layout.right = 0;
  if (options.show_row_labels) {
    layout.left = layout.row_words
                      ? std::min(widest(canvas, options.row_labels, kBoldWord) + 25, area.width * 0.3f)
                      : 40;
  }
  if (!options.row_title.word.empty())
    layout.left = std::max(layout.left, title_width(canvas, options.row_title) + 14);
  layout.left = std::ceil(layout.left);
  if (!options.writes.empty() && layout.row_words && layout.writes) {
    const float words = std::max(widest(canvas, options.writes, kBoldWord) + 22,
                                 canvas.measure(options.writes_title, kBoldWord).x + 8);
    layout.right = std::ceil(std::min(words, area.width * 0.25f));
  } else if (options.writes.empty() && !options.right_values.empty()) {
    layout.right = std::ceil(widest(canvas, options.right_values, {.font = Font::mono, .size = 12}) + 10);
  }
  const float bar = options.color_bar ? kBarGap + kBarWidth + bar_values(canvas, options, layout.limit) : 0;
  const float room = std::max(8.0f, area.width - layout.left - layout.right - bar);

  const auto least = static_cast<float>(options.min_cell), most = static_cast<float>(options.max_cell);
  const float most_wide = std::max(least, std::floor(most * options.max_aspect));
  Point cell{std::floor(room / columns), std::floor(room_down / rows)};
  if (cell.x < 1 || cell.y < 1) {
    // Less than a pixel a cell: fill the room.
    cell = {room / columns, room_down / rows};
    if (options.max_aspect <= 1 && options.stretch <= 1) cell.x = cell.y = std::min(cell.x, cell.y);
    return cell;
  }
  const Point fits = cell;
  cell.y = std::min(cell.y, most);
  cell.x = std::min({cell.x, most_wide, std::floor(cell.y * options.max_aspect)});
  cell.y = std::min(cell.y, cell.x);
  // Small cells grow where there is room.
  const bool square = !layout.key.empty() && cell.y >= kLabelRowFrom;
  if (options.stretch > 1 && !square && std::min(cell.x, cell.y) < kStretchTo) {
    const float longest = std::min(kStretchTo, std::floor(std::min(cell.x, cell.y) * options.stretch));
    const float words = std::ceil(widest(canvas, options.column_labels, kBoldWord)) + 3;
    const float widest_cell = longest < kStretchTo ? longest : std::clamp(words, kStretchTo, most);
    cell = {std::max(cell.x, std::min(fits.x, widest_cell)), std::max(cell.y, std::min(fits.y, longest))};
  }
  // No smaller than asked for, unless that would leave the area.
  return {std::max(cell.x, std::min(least, fits.x)), std::max(cell.y, std::min(least, fits.y))};
}

float key_height(const HeatmapLayout& layout) {
  return layout.key.empty() ? 0 : kKeyGap + kKeyLine * static_cast<float>(layout.key.size());
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
    layout.limit = options.scale == ColorScale::weight ? weight_limit(largest_magnitude(data))
                                                       : round_limit(largest_magnitude(data));

  // Margins above and below.
  const bool titled =
      !options.column_title.word.empty() || (!options.row_title.word.empty() && options.columns_below);
  const bool labels_above = (options.show_column_labels && !options.columns_below) ||
                            !options.row_title.word.empty() || !options.right_title.empty();
  const float top = titled && labels_above ? 56 : titled ? 30 : labels_above ? 32 : 0;
  float bottom = options.show_column_labels && options.columns_below ? 26 : 0;
  layout.top = top;

  // Rows first: words only when a row is high enough for them, and what is right of it likewise.
  const auto fit = [&] {
    const float room_down = std::max(8.0f, area.height - layout.top - bottom);
    layout.row_words = !options.row_labels.empty() && !layout.texture &&
                       std::floor(room_down / rows) >= label_row_from(canvas);
    const Point cell = fitted_cell(canvas, area, room_down, data, options, layout);
    if (!layout.row_words || cell.y >= label_row_from(canvas)) return cell;
    layout.row_words = false;
    return fitted_cell(canvas, area, room_down, data, options, layout);
  };
  Point cell;

  // Words over the columns take more lines where they need them, and indices their place where that does not
  // do.
  const bool wanted = options.show_column_labels && !options.column_indices &&
                      !options.column_labels.empty() && !layout.texture;
  const float plain_bottom = bottom;
  const auto place_words = [&] {
    layout.top = top, bottom = plain_bottom + key_height(layout);
    layout.column_levels = 1, layout.column_size = 12;
    cell = fit();
    std::optional<ColumnWords> words =
        wanted ? column_words(canvas, options.column_labels, cell.x) : std::nullopt;
    layout.column_words = words.has_value();
    if (words && words->levels > 1) {
      const float more = static_cast<float>(words->levels - 1) * kColumnLine;
      (options.columns_below ? bottom : layout.top) += more;
      cell = fit();
      const std::optional<ColumnWords> again = column_words(canvas, options.column_labels, cell.x);
      layout.column_words = again && again->levels <= words->levels;
      if (layout.column_words) words->size = std::min(words->size, again->size);
    }
    if (layout.column_words) {
      layout.column_levels = words->levels;
      layout.column_size = words->size;
    } else {
      layout.top = top, bottom = plain_bottom + key_height(layout);
      cell = fit();
    }
    layout.cell_width = cell.x;
    layout.row_size = cell.y < kLabelRowFrom ? kSmallestInFiles + (cell.y > 12 ? 1.0f : 0.0f) : 12;
    if (!layout.row_words) layout.row_size = 12;
  };
  place_words();
  // A file cannot be pointed at: words to the right give way first, then a key says what is cut. It takes
  // room, after which more may be.
  if (wanted && canvas.is_file() && !words_key(canvas, options, layout, area.width).empty()) {
    layout.writes = false;
    place_words();
    std::size_t lines = 0;
    do {
      lines = layout.key.size();
      layout.key = words_key(canvas, options, layout, area.width);
      if (layout.key.size() > lines) place_words();
    } while (layout.key.size() > lines);
  }
  const float width = cell.x, height = cell.y;
  layout.cell_width = width;
  layout.cell_height = height;
  layout.gap = !layout.texture && std::min(width, height) >= kGapFrom ? 1 : 0;
  layout.cells = {area.x + layout.left, area.y + layout.top, columns * width - layout.gap,
                  rows * height - layout.gap};

  // Labels that do not fit give way to indices.
  if (!layout.row_words) layout.row_step = step_for(height, 16);
  if (!layout.column_words) {
    const float digits = static_cast<float>(std::to_string(data.values.columns).size());
    layout.column_step = step_for(width, digits * 6.6f + 6);
  }
  choose_numbers(layout, data, options);

  float right = layout.cells.right() + layout.right;
  if (options.color_bar) {
    layout.color_bar = {right + kBarGap, layout.cells.y, kBarWidth, layout.cells.height};
    right = layout.color_bar.right() + bar_values(canvas, options, layout.limit);
  }
  layout.bounds = {area.x, area.y, right - area.x, layout.cells.bottom() + bottom - area.y};
  return layout;
}

}  // namespace glassformer
