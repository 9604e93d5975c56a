#include "app/widgets/heatmap.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/explained_words.h"
#include "app/widgets/heatmap_parts.h"

namespace glassformer {
namespace {

constexpr int kManyCells = 100;  // from here on the screen draws one texture and lines for the gaps
constexpr float kColumnGap = 5;  // between column words of one line

// One call of draw_heatmap.
struct Picture {
  Canvas& canvas;
  const Rect& area;
  const HeatmapData& data;
  const HeatmapOptions& options;
  const HeatmapLayout& layout;
  const Theme& theme = canvas.theme();

  int rows() const { return data.values.rows; }
  int columns() const { return data.values.columns; }
  bool masked(int row, int column) const {
    return computed(row, column) && data.masked && data.masked(row, column);
  }
  bool computed(int row, int column) const {
    return options.computed < 0 || row * columns() + column < options.computed;
  }
  bool pinned_row(int row) const {
    return options.pinned_row == row || std::ranges::find(options.more_rows, row) != options.more_rows.end();
  }
  bool pinned_column(int column) const {
    return options.pinned_column == column ||
           std::ranges::find(options.more_columns, column) != options.more_columns.end();
  }
  double value(int row, int column) const { return static_cast<double>(data.values(row, column)); }
  Color color(int row, int column) const {
    if (masked(row, column)) return {};
    if (!computed(row, column)) return theme.sunken;
    if (std::isnan(value(row, column))) return theme.panel;
    return value_color(options.scale, value(row, column), layout.limit, theme);
  }

  void cells();
  void masked_cells();
  void numbers();
  void titles();
  void row_labels();
  void column_labels();
  void column_words();
  std::vector<Rect> column_boxes() const;
  // What the lines of column words beyond the first take.
  float more_lines() const { return static_cast<float>(layout.column_levels - 1) * kColumnLine; }
  void right_side();
  void selection();
  void hits();

  void pinned_label(Point center, const std::string& text, float width, Color tint, Color edge);
  std::string row_index(int row) const { return std::to_string(row); }
};

void Picture::cells() {
  const bool one_grid = layout.gap == 0 || (!canvas.is_file() && rows() * columns() > kManyCells);
  if (!one_grid) {
    for (int row = 0; row < rows(); ++row) {
      for (int column = 0; column < columns(); ++column) {
        const Color fill = color(row, column);
        if (fill.visible()) canvas.rectangle(layout.cell(row, column), {.fill = fill});
      }
    }
    return masked_cells();
  }
  std::vector<Color> colors;
  colors.reserve(static_cast<std::size_t>(rows() * columns()));
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < columns(); ++column) colors.push_back(color(row, column));
  }
  const Rect& all = layout.cells;
  canvas.grid({all.x, all.y, all.width + layout.gap, all.height + layout.gap}, rows(), columns(), colors);
  masked_cells();
  if (layout.gap == 0) return;
  // Gaps are lines of the ground's colour.
  const Color ground = options.background.visible() ? options.background : theme.paper;
  for (int row = 1; row <= rows(); ++row) {
    canvas.rectangle({all.x, layout.cell(row, 0).y - layout.gap, all.width + layout.gap, layout.gap},
                     {.fill = ground});
  }
  for (int column = 1; column <= columns(); ++column) {
    canvas.rectangle({layout.cell(0, column).x - layout.gap, all.y, layout.gap, all.height},
                     {.fill = ground});
  }
}

// Hidden cells of a row are hatched in one piece where they touch; NaN cells get their cross.
void Picture::masked_cells() {
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < columns();) {
      if (!masked(row, column)) {
        if (std::isnan(value(row, column)) && computed(row, column))
          draw_not_a_number(canvas, layout.cell(row, column));
        ++column;
        continue;
      }
      int end = column + 1;
      while (layout.gap == 0 && end < columns() && masked(row, end)) ++end;
      Rect run = layout.cell(row, column);
      run.width = static_cast<float>(end - column) * layout.cell_width - layout.gap;
      draw_hatched(canvas, run);
      column = end;
    }
  }
}

void Picture::numbers() {
  if (!layout.numbers) return;
  TextStyle style{.font = Font::mono, .size = layout.number_size, .x = AlignX::center};
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < columns(); ++column) {
      if (masked(row, column) || !computed(row, column)) continue;
      const std::string text = cell_number(data.values(row, column), layout.decimals, options);
      if (text.empty()) continue;
      style.color = text_on(color(row, column));
      canvas.text(layout.cell(row, column).center(), text, style);
    }
  }
}

float draw_title(Canvas& canvas, Point at, const AxisTitle& title) {
  const Theme& theme = canvas.theme();
  float x = at.x;
  if (title.badge != Badge::none) {
    draw_badge(canvas, {x + 9, at.y}, title.badge);
    x += 26;
  }
  const TextStyle word{.font = Font::semibold, .size = 12, .color = theme.ink};
  canvas.text({x, at.y}, title.word, word);
  x += canvas.measure(title.word, word).x;
  if (!title.note.empty()) {
    const TextStyle note{.size = 12, .color = theme.second_text};
    const std::string text = "(" + title.note + ")";
    canvas.text({x + 4, at.y}, text, note);
    x += 4 + canvas.measure(text, note).x;
  }
  return x;
}

void Picture::titles() {
  const float label_y = layout.cells.y - 18, title_y = options.show_column_labels && !options.columns_below
                                                           ? label_y - 26 - more_lines()
                                                           : label_y;
  if (!options.row_title.word.empty()) draw_title(canvas, {area.x, label_y}, options.row_title);
  if (options.column_title.word.empty()) return;
  const float end = draw_title(canvas, {layout.cells.x, title_y}, options.column_title);
  draw_arrow(canvas, {end + 10, title_y}, {end + 34, title_y}, {.color = theme.second_text, .width = 1});
}

void Picture::pinned_label(Point center, const std::string& text, float width, Color tint, Color edge) {
  const float height = layout.row_size < 12 ? layout.cell_height + 2 : 22;
  canvas.rectangle({center.x - width / 2, center.y - height / 2, width, height},
                   {.fill = tint, .outline = edge, .outline_width = 1.5f, .radius = 5});
  canvas.text(center, text,
              {.font = Font::semibold, .size = layout.row_size, .color = theme.ink, .x = AlignX::center});
}

void Picture::row_labels() {
  if (!options.show_row_labels) return;
  const float right = layout.cells.x - (layout.row_words ? kLabelGap : 10);
  for (int row = 0; row < rows(); ++row) {
    const bool pinned = pinned_row(row), hovered = options.hovered_row == row;
    if (row % layout.row_step != 0 && !pinned) continue;
    // A pinned index must not touch its neighbours.
    if (!pinned && options.pinned_row &&
        static_cast<float>(std::abs(*options.pinned_row - row)) * layout.cell_height < 14)
      continue;
    const float y = layout.cell(row, 0).center().y;
    const auto index = static_cast<std::size_t>(row);
    if (layout.row_words && index < options.row_labels.size()) {
      TextStyle style{.font = pinned || hovered ? Font::semibold : Font::regular,
                      .size = layout.row_size,
                      .color = pinned || hovered ? theme.ink : theme.second_text,
                      .x = AlignX::right};
      const std::string word = row_word(canvas, layout, options.row_labels[index]);
      if (pinned && !options.ink_row) {
        const float width = std::round(canvas.measure(word, style).x) + 14;
        pinned_label({right + 7 - width / 2, y}, word, width, theme.query_tint, theme.query);
      } else {
        draw_explained(canvas, {right, y}, word, style);
      }
    } else {
      canvas.text({right, y}, row_index(row),
                  {.font = Font::mono,
                   .size = 11,
                   .color = pinned ? theme.ink : theme.faint_text,
                   .x = AlignX::right});
    }
  }
}

// Where the column words are: over their columns, those of one line moved as far as their neighbours and
// the ends of the map ask.
std::vector<Rect> Picture::column_boxes() const {
  const auto levels = static_cast<std::size_t>(layout.column_levels);
  const std::size_t count = std::min(options.column_labels.size(), static_cast<std::size_t>(columns()));
  const float room = static_cast<float>(levels) * layout.cell_width - (levels > 1 ? kColumnGap : 2);
  std::vector<Rect> boxes(count);
  for (std::size_t level = 0; level < levels; ++level) {
    const float line = static_cast<float>(level) * kColumnLine;
    const float y = options.columns_below ? layout.cells.bottom() + 14 + line : layout.cells.y - 18 - line;
    float free_from = layout.cells.x - (levels > 1 ? 8 : 100);
    for (std::size_t i = level; i < count; i += levels) {
      const TextStyle bold{.font = Font::semibold, .size = layout.column_size};
      const float width = std::min(room, canvas.measure(options.column_labels[i], bold).x);
      const float x = layout.cell(0, static_cast<int>(i)).center().x - width / 2;
      boxes[i] = {std::max(free_from, x), y - kColumnLine / 2, width, kColumnLine};
      free_from = boxes[i].right() + kColumnGap;
    }
    if (levels == 1) continue;
    float free_to = layout.cells.right() + 4;
    for (std::size_t i = count; i-- > 0;) {
      if (i % levels != level) continue;
      boxes[i].x = std::min(boxes[i].x, free_to - boxes[i].width);
      free_to = boxes[i].x - kColumnGap;
    }
  }
  return boxes;
}

void Picture::column_words() {
  const std::vector<Rect> boxes = column_boxes();
  // A line leads from a word in a further line to its column, behind the words of the nearer ones.
  for (std::size_t i = 0; layout.column_levels > 1 && i < boxes.size(); ++i) {
    const float x = layout.cell(0, static_cast<int>(i)).center().x;
    const bool below = options.columns_below;
    canvas.line({x, below ? layout.cells.bottom() + 3 : layout.cells.y - 3},
                {x, below ? boxes[i].y : boxes[i].bottom()}, {.color = theme.border, .width = 1});
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int column = static_cast<int>(i);
    const bool pinned = pinned_column(column), hovered = options.hovered_column == column;
    const TextStyle style{.font = pinned || hovered ? Font::semibold : Font::regular,
                          .size = layout.column_size,
                          .color = pinned || hovered ? theme.ink : theme.second_text,
                          .x = AlignX::center};
    const Rect& box = boxes[i];
    const std::string word = column_word(canvas, layout, options.column_labels[i]);
    if (layout.column_levels > 1)
      canvas.rectangle({box.x - 1, box.y + 1, box.width + 2, box.height - 2},
                       {.fill = options.background.visible() ? options.background : theme.paper});
    if (pinned) {
      const float most = layout.column_levels > 1 ? box.width + 6 : layout.cell_width + 2;
      const float width = std::min(std::round(canvas.measure(word, style).x) + 14, most);
      const float height = layout.column_levels > 1 ? kColumnLine : 22;
      canvas.rectangle({std::round(box.center().x - width / 2), box.center().y - height / 2, width, height},
                       {.fill = theme.key_tint, .outline = theme.key, .outline_width = 1.5f, .radius = 5});
    }
    draw_explained(canvas, box.center(), word, style);
  }
}

void Picture::column_labels() {
  if (!options.show_column_labels) return;
  if (layout.column_words) return column_words();
  const float y = options.columns_below ? layout.cells.bottom() + 14 : layout.cells.y - 18;
  for (int column = 0; column < columns(); ++column) {
    const bool pinned = pinned_column(column), hovered = options.hovered_column == column;
    if (column % layout.column_step != 0 && !pinned) continue;
    if (!pinned && options.pinned_column && layout.column_step > 1 &&
        static_cast<float>(std::abs(*options.pinned_column - column)) * layout.cell_width < 22) {
      continue;
    }
    canvas.text({layout.cell(0, column).center().x, y}, std::to_string(column),
                {.font = Font::mono,
                 .size = 11,
                 .color = pinned || hovered ? theme.ink : theme.second_text,
                 .x = AlignX::center});
  }
}

void Picture::right_side() {
  const float x = layout.cells.right();
  const float label_y = layout.cells.y - 18;
  if (!options.writes.empty()) {
    if (!layout.row_words || !layout.writes) return;
    canvas.text({x + 8, label_y}, options.writes_title,
                {.font = Font::semibold, .size = 12, .color = theme.second_text});
    for (int row = 0; row < rows() && static_cast<std::size_t>(row) < options.writes.size(); ++row) {
      const float y = layout.cell(row, 0).center().y;
      const bool strong = pinned_row(row) || options.hovered_row == row;
      const TextStyle style{.font = strong ? Font::semibold : Font::regular,
                            .size = layout.row_size,
                            .color = strong ? theme.ink : theme.second_text};
      if (options.writes[static_cast<std::size_t>(row)].empty()) continue;
      draw_mark(canvas, {x + 11, y}, Mark::chevron_right, theme.second_text, 8);
      canvas.text({x + 21, y},
                  elided(canvas, options.writes[static_cast<std::size_t>(row)], style, layout.right - 21),
                  style);
    }
  } else if (!options.right_values.empty()) {
    if (!options.right_title.empty())
      canvas.text({x + 8, label_y}, options.right_title, {.size = 12, .color = theme.second_text});
    for (int row = 0; row < rows() && static_cast<std::size_t>(row) < options.right_values.size();
         row += layout.row_step) {
      canvas.text({x + 8, layout.cell(row, 0).center().y},
                  options.right_values[static_cast<std::size_t>(row)],
                  {.font = Font::mono,
                   .size = layout.row_size,
                   .color = options.pinned_row == row ? theme.ink : theme.second_text});
    }
  }
}

void Picture::selection() {
  if (options.frame) {
    canvas.rectangle(
        {layout.cells.x - 1, layout.cells.y - 1, layout.cells.width + 2, layout.cells.height + 2},
        {.outline = theme.control});
  }
  for (const Rect& part : options.outlines) {
    const Rect from = layout.cell(static_cast<int>(part.y), static_cast<int>(part.x));
    canvas.rectangle({from.x - 1, from.y - 1, part.width * layout.cell_width + 2 - layout.gap,
                      part.height * layout.cell_height + 2 - layout.gap},
                     {.outline = theme.reference, .outline_width = 2});
  }
  const auto inside = [](const std::optional<int>& index, int count) {
    return index && *index >= 0 && *index < count;
  };
  const Color pin = options.ink_row ? theme.ink : theme.query;
  const auto outline_row = [&](int row, Color color) {
    const Rect first = layout.cell(row, 0);
    canvas.rectangle({layout.cells.x - 2, first.y - 2, layout.cells.width + 4, first.height + 4},
                     {.outline = color, .outline_width = 2, .radius = 2});
  };
  for (const int row : options.more_rows)
    if (inside(row, rows())) outline_row(row, pin);
  if (inside(options.hovered_row, rows())) outline_row(*options.hovered_row, theme.control);
  if (inside(options.pinned_row, rows())) outline_row(*options.pinned_row, pin);
  const auto outline_cell = [&](const std::optional<int>& row, const std::optional<int>& column,
                                float width) {
    if (!inside(row, rows()) || !inside(column, columns())) return;
    const Rect cell = layout.cell(*row, *column);
    canvas.rectangle(cell.inset(1 - width), {.outline = theme.ink, .outline_width = width, .radius = 3});
    // Ink alone is lost on the darkest colours.
    if (cell.width >= 12 && cell.height >= 12)
      canvas.rectangle(cell.inset(1), {.outline = theme.paper, .outline_width = 1, .radius = 1});
  };
  outline_cell(options.hovered_row, options.hovered_column, 2);
  outline_cell(options.pinned_row, options.pinned_column, 3);
}

void Picture::hits() {
  const Rect& cells = layout.cells;
  if (options.row_hit && options.show_row_labels) {
    canvas.hit_grid({.rect = {area.x, cells.y, layout.left, cells.height + layout.gap},
                     .rows = rows(),
                     .columns = 1,
                     .cell = [hit = options.row_hit](int row, int) { return hit(row); },
                     .tab_stop = false});
  }
  if (options.column_hit && options.show_column_labels) {
    const float height = (options.columns_below ? 26.0f : 30.0f) + more_lines();
    const float y = options.columns_below ? cells.bottom() : cells.y - height;
    canvas.hit_grid({.rect = {cells.x, y, cells.width + layout.gap, height},
                     .rows = 1,
                     .columns = columns(),
                     .cell = [hit = options.column_hit](int, int column) { return hit(column); },
                     .tab_stop = false});
  }
  if (options.cell_hit) {
    canvas.hit_grid({.rect = {cells.x, cells.y, cells.width + layout.gap, cells.height + layout.gap},
                     .rows = rows(),
                     .columns = columns(),
                     .cell = options.cell_hit});
  }
}

}  // namespace

HeatmapLayout draw_heatmap(Canvas& canvas, const Rect& area, const HeatmapData& data,
                           const HeatmapOptions& options) {
  const HeatmapLayout layout = layout_heatmap(canvas, area, data, options);
  if (data.values.rows <= 0 || data.values.columns <= 0 || !data.values.data) return layout;
  Picture picture{canvas, area, data, options, layout};
  picture.cells();
  picture.numbers();
  picture.titles();
  picture.row_labels();
  picture.column_labels();
  picture.right_side();
  picture.selection();
  if (options.color_bar) draw_color_bar(canvas, layout.color_bar, options.scale, layout.limit);
  draw_words_key(canvas, layout,
                 {area.x, layout.bounds.bottom() - kKeyLine * static_cast<float>(layout.key.size())});
  picture.hits();
  return layout;
}

}  // namespace glassformer
