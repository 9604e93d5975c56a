#include "app/widgets/matrix_cells.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/heatmap.h"
#include "app/widgets/heatmap_parts.h"

namespace glassformer {

namespace {

constexpr float kBreak = 16;      // between the first and the last cells of a long axis
constexpr float kWordsFrom = 14;  // px of a row with words
constexpr float kSmallWordsFrom = 11;
constexpr int kMostCells = 4096;   // more are drawn as one grid, without gaps and numbers
constexpr float kMostLabel = 110;  // px of a word left of the rows

Color mixed_color(Color a, Color b, float share) {
  const auto part = [&](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(from) * (1 - share) + static_cast<float>(to) * share));
  };
  return {part(a.r, b.r), part(a.g, b.g), part(a.b, b.b), 255};
}

// Rows or columns of equal pitch: a break divides them.
struct Run {
  int first, count;
};

std::vector<Run> runs(const MatrixAxis& axis) {
  if (axis.break_after < 0) return {{0, axis.count()}};
  const int first = axis.break_after + 1;
  return {{0, first}, {first, axis.count() - first}};
}

// One call of draw_matrix.
struct CellsPicture {
  Canvas& canvas;
  const MatrixNumbers& numbers;
  const MatrixLook& look;
  MatrixPlace place;
  const Theme& theme = canvas.theme();

  int rows() const { return numbers.rows.count(); }
  int columns() const { return numbers.columns.count(); }
  bool one_grid() const { return rows() * columns() > kMostCells || place.pitch.x < 4 || place.pitch.y < 4; }
  bool computed(int row, int column) const {
    return look.computed < 0 || row * columns() + column < look.computed;
  }
  bool lit(int row, int column) const {
    const bool in_row = look.lit_row == row, in_column = look.lit_column == column;
    return !look.pale || (in_row && look.row_outline.visible()) ||
           (in_column && look.column_outline.visible()) || (look.outline_cell && in_row && in_column);
  }
  Color color(int row, int column) const {
    if (!computed(row, column)) return theme.sunken;
    const auto value = static_cast<double>(numbers.at(row, column));
    const Color full = value_color(numbers.scale, value, numbers.limit, theme);
    return lit(row, column) ? full : mixed_color(full, theme.paper, 0.72f);
  }

  Rect run_rect(const Run& down, const Run& across) const {
    const Rect from = place.cell(down.first, across.first);
    return {from.x, from.y, static_cast<float>(across.count) * place.pitch.x,
            static_cast<float>(down.count) * place.pitch.y};
  }

  void grids();
  void cells();
  void cell_numbers();
  void row_labels();
  void column_labels();
  void outlines();
  void hits();
};

void CellsPicture::grids() {
  for (const Run& down : runs(numbers.rows)) {
    for (const Run& across : runs(numbers.columns)) {
      std::vector<Color> colors;
      for (int row = down.first; row < down.first + down.count; ++row) {
        for (int column = across.first; column < across.first + across.count; ++column)
          colors.push_back(numbers.is_hidden(row, column) ? theme.panel : color(row, column));
      }
      if (!colors.empty()) canvas.grid(run_rect(down, across), down.count, across.count, colors);
    }
  }
}

void CellsPicture::cells() {
  if (one_grid()) return grids();
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < columns(); ++column) {
      const Rect cell = place.cell(row, column);
      if (computed(row, column) && numbers.is_hidden(row, column)) {
        draw_hatched(canvas, cell);
      } else if (computed(row, column) && std::isnan(numbers.at(row, column))) {
        draw_not_a_number(canvas, cell);
      } else {
        canvas.rectangle(cell, {.fill = color(row, column)});
      }
    }
  }
}

void CellsPicture::cell_numbers() {
  const float width = place.pitch.x - 1, height = place.pitch.y - 1;
  if (one_grid() || width < 16 || height < 13) return;
  const float letter = 0.6f * 11;
  HeatmapOptions options;
  options.scale = numbers.scale;
  options.number_factor = numbers.factor;
  const auto fits = [&](int decimals) {
    for (int row = 0; row < rows(); ++row) {
      for (int column = 0; column < columns(); ++column) {
        if (numbers.is_hidden(row, column)) continue;
        const std::string text = cell_number(numbers.at(row, column), decimals, options);
        if (static_cast<float>(letters(text)) * letter + 1 > width) return false;
      }
    }
    return true;
  };
  int decimals = 1;
  if (!fits(1)) {
    // Whole numbers say something only when they are large.
    if (numbers.scale == ColorScale::weight || numbers.limit * numbers.factor < 10 || !fits(0)) return;
    decimals = 0;
  }
  TextStyle style{.font = Font::mono, .size = 11, .x = AlignX::center};
  for (int row = 0; row < rows(); ++row) {
    for (int column = 0; column < columns(); ++column) {
      if (numbers.is_hidden(row, column) || !computed(row, column) || !lit(row, column)) continue;
      const std::string text = cell_number(numbers.at(row, column), decimals, options);
      if (text.empty()) continue;
      style.color = text_on(color(row, column));
      canvas.text(place.cell(row, column).center(), text, style);
    }
  }
}

void CellsPicture::row_labels() {
  // Lower rows have smaller words, then only some of them.
  const bool words = !numbers.rows.labels.empty(), small = place.pitch.y < kWordsFrom;
  const float least = words ? kSmallWordsFrom : kWordsFrom;
  int step = 1;
  while (static_cast<float>(step) * place.pitch.y < least) step *= 2;
  for (int row = 0; row < rows(); ++row) {
    const bool strong = look.lit_row == row;
    if (row % step != 0 && !strong) continue;
    if (!strong && look.lit_row &&
        static_cast<float>(std::abs(*look.lit_row - row)) * place.pitch.y < least - 1)
      continue;
    const float y = place.cell(row, 0).center().y;
    if (words) {
      const TextStyle style{.font = strong ? Font::semibold : Font::regular,
                            .size = small ? 10.0f : 12.0f,
                            .color = strong ? theme.ink : theme.second_text,
                            .x = AlignX::right};
      canvas.text({place.cells.x - 8, y}, elided(canvas, numbers.rows.label(row), style, kMostLabel), style);
    } else {
      canvas.text({place.cells.x - 8, y}, std::to_string(numbers.rows.places[static_cast<std::size_t>(row)]),
                  {.font = Font::mono,
                   .size = 11,
                   .color = strong ? theme.ink : theme.second_text,
                   .x = AlignX::right});
    }
  }
}

void CellsPicture::column_labels() {
  const float y = place.cells.y - 10;
  // One size for all words: the largest in which they fit; otherwise their places.
  float size = 12;
  const float room = place.pitch.x - 2;
  const auto fits = [&](const std::string& word) { return canvas.measure(word, {.size = size}).x <= room; };
  const bool named = !numbers.columns.labels.empty();
  bool words = !numbers.columns.labels.empty();
  while (words && !std::ranges::all_of(numbers.columns.labels, fits)) {
    size -= 1;
    words = size >= 10;
  }
  const int last = numbers.columns.places.empty() ? 0 : numbers.columns.places.back();
  const float digits = static_cast<float>(std::to_string(last).size()) * 6.6f + 6;
  int step = 1;
  while (!words && static_cast<float>(step) * place.pitch.x < digits) step *= 2;
  // Among places the one looked at has its word, which needs the room of its neighbours.
  const TextStyle lit{.font = Font::semibold, .size = 11};
  const float taken = !words && named && look.lit_column && *look.lit_column < columns()
                          ? (canvas.measure(numbers.columns.label(*look.lit_column), lit).x + digits) / 2
                          : digits;
  for (int column = 0; column < columns(); ++column) {
    const bool strong = look.lit_column == column;
    if (column % step != 0 && !strong) continue;
    if (!words && !strong && look.lit_column &&
        static_cast<float>(std::abs(*look.lit_column - column)) * place.pitch.x < taken)
      continue;
    if (!words && named && strong) {
      TextStyle style = lit;
      style.color = theme.ink;
      style.x = AlignX::center;
      canvas.text({place.cell(0, column).center().x, y}, numbers.columns.label(column), style);
      continue;
    }
    // A strong word that would touch its neighbours stays as light as these.
    const bool bold =
        strong && words &&
        canvas.measure(numbers.columns.label(column), {.font = Font::semibold, .size = size}).x <= room;
    TextStyle style{.font = bold    ? Font::semibold
                            : words ? Font::regular
                                    : Font::mono,
                    .size = words ? size : 11,
                    .color = strong ? theme.ink : theme.second_text,
                    .x = AlignX::center};
    canvas.text({place.cell(0, column).center().x, y},
                words ? numbers.columns.label(column)
                      : std::to_string(numbers.columns.places[static_cast<std::size_t>(column)]),
                style);
  }
}

void CellsPicture::outlines() {
  const auto inside = [](const std::optional<int>& at, int count) { return at && *at >= 0 && *at < count; };
  const bool row = inside(look.lit_row, rows()), column = inside(look.lit_column, columns());
  if (row && look.row_outline.visible()) {
    const Rect first = place.cell(*look.lit_row, 0);
    canvas.rectangle({place.cells.x - 2, first.y - 2, place.cells.width + 3, first.height + 4},
                     {.outline = look.row_outline, .outline_width = 2, .radius = 2});
  }
  if (column && look.column_outline.visible()) {
    const Rect first = place.cell(0, *look.lit_column);
    canvas.rectangle({first.x - 2, place.cells.y - 2, first.width + 4, place.cells.height + 3},
                     {.outline = look.column_outline, .outline_width = 2, .radius = 2});
  }
  if (!look.outline_cell || !row || !column) return;
  const Rect cell = place.cell(*look.lit_row, *look.lit_column);
  canvas.rectangle(cell.inset(-2), {.outline = theme.ink, .outline_width = 3, .radius = 3});
  // Ink alone is lost on the darkest colours.
  if (cell.width >= 12 && cell.height >= 12)
    canvas.rectangle(cell.inset(1), {.outline = theme.paper, .outline_width = 1, .radius = 1});
}

void CellsPicture::hits() {
  for (const Run& down : runs(numbers.rows)) {
    for (const Run& across : runs(numbers.columns)) {
      canvas.hit_grid({.rect = run_rect(down, across),
                       .rows = down.count,
                       .columns = across.count,
                       .cell = [hit = look.hit, down, across](int row, int column) {
                         return hit(down.first + row, across.first + column);
                       }});
    }
  }
}

float length_of(const MatrixAxis& axis, float pitch) {
  return static_cast<float>(axis.count()) * pitch + (axis.break_after < 0 ? 0 : kBreak);
}

}  // namespace

std::string MatrixAxis::label(int at) const {
  const auto index = static_cast<std::size_t>(at);
  return index < labels.size() ? labels[index] : std::to_string(places[index]);
}

std::optional<int> MatrixAxis::shown(int place) const {
  const auto found = std::ranges::find(places, place);
  if (found == places.end()) return std::nullopt;
  return static_cast<int>(found - places.begin());
}

MatrixAxis whole_axis(int total, std::vector<std::string> labels) {
  MatrixAxis axis{.labels = std::move(labels), .total = total};
  for (int i = 0; i < total; ++i) axis.places.push_back(i);
  return axis;
}

MatrixAxis part_of_axis(MatrixAxis whole, int most, int place) {
  if (whole.count() <= most) return whole;
  // Two at one end, a break, and a run that holds the place; from the middle the run is followed by the end.
  const int few = std::min(2, most - 1), run = std::max(1, most - few);
  const bool near_end = place >= whole.total - run;
  const int head = place < run ? run : near_end ? few : 0;
  const int start = head > 0 ? 0 : std::clamp(place - run / 2, 0, whole.total - most);
  const int first = head > 0 ? head : run;
  MatrixAxis part{.break_after = first - 1, .total = whole.total};
  const auto take = [&](int at) {
    part.places.push_back(at);
    if (!whole.labels.empty()) part.labels.push_back(whole.labels[static_cast<std::size_t>(at)]);
  };
  for (int i = 0; i < first; ++i) take(start + i);
  for (int i = whole.total - (most - first); i < whole.total; ++i) take(i);
  if (part.places[static_cast<std::size_t>(first - 1)] + 1 == whole.total - (most - first))
    part.break_after = -1;
  return part;
}

Rect MatrixPlace::cell(int row, int column) const {
  const float x =
      static_cast<float>(column) * pitch.x + (column_break >= 0 && column > column_break ? kBreak : 0);
  const float y = static_cast<float>(row) * pitch.y + (row_break >= 0 && row > row_break ? kBreak : 0);
  const float gap = std::min(pitch.x, pitch.y) >= 12 ? 1 : 0;
  return {cells.x + x, cells.y + y, pitch.x - gap, pitch.y - gap};
}

float matrix_label_width(const Canvas& canvas, const MatrixNumbers& numbers) {
  float width = 0;
  for (const std::string& word : numbers.rows.labels)
    width = std::max(width, canvas.measure(word, {.font = Font::semibold, .size = 12}).x);
  if (numbers.rows.labels.empty() && !numbers.rows.places.empty())
    width = static_cast<float>(std::to_string(numbers.rows.places.back()).size()) * 6.6f;
  return std::ceil(std::min(width, kMostLabel)) + 12;
}

Point matrix_size(const MatrixNumbers& numbers, Point pitch) {
  return {length_of(numbers.columns, pitch.x), length_of(numbers.rows, pitch.y)};
}

float pitch_for(float length, const MatrixAxis& axis, float most) {
  const float room = length - (axis.break_after < 0 ? 0 : kBreak);
  const float pitch = room / static_cast<float>(std::max(1, axis.count()));
  return std::min(most, pitch >= 1 ? std::floor(pitch) : std::max(0.1f, pitch));
}

MatrixPlace draw_matrix(Canvas& canvas, Point corner, Point pitch, const MatrixNumbers& numbers,
                        const MatrixLook& look) {
  const Point size = matrix_size(numbers, pitch);
  CellsPicture picture{canvas,
                       numbers,
                       look,
                       {.cells = {corner.x, corner.y, size.x, size.y},
                        .pitch = pitch,
                        .row_break = numbers.rows.break_after,
                        .column_break = numbers.columns.break_after}};
  if (numbers.rows.count() == 0 || numbers.columns.count() == 0) return picture.place;
  picture.cells();
  picture.cell_numbers();
  if (look.row_labels) picture.row_labels();
  if (look.column_labels) picture.column_labels();
  for (std::size_t row = 0; row < look.right_values.size() && pitch.y >= kWordsFrom; ++row) {
    canvas.text({picture.place.cells.right() + 8, picture.place.cell(static_cast<int>(row), 0).center().y},
                look.right_values[row],
                {.font = Font::mono, .size = 11, .color = canvas.theme().second_text});
  }
  // The dots of a break.
  const TextStyle dots{.size = 12, .color = canvas.theme().second_text, .x = AlignX::center};
  if (numbers.columns.break_after >= 0) {
    const Rect before = picture.place.cell(0, numbers.columns.break_after);
    canvas.text({before.right() + kBreak / 2, picture.place.cells.y + std::min(size.y, pitch.y) / 2}, "…",
                dots);
  }
  if (numbers.rows.break_after >= 0) {
    const Rect before = picture.place.cell(numbers.rows.break_after, 0);
    canvas.text({picture.place.cells.x + std::min(size.x, pitch.x) / 2, before.bottom() + kBreak / 2}, "…",
                dots);
  }
  picture.outlines();
  if (look.hit) picture.hits();
  return picture.place;
}

}  // namespace glassformer
