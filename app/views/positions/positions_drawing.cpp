#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "app/format/number_format.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/positions/positions.h"
#include "app/widgets/heatmap.h"
#include "engine/analysis/position_study.h"
#include "engine/layers/embedding.h"

namespace glassformer {

namespace {

constexpr float kWavelengths = 60;  // right of the waves

// Five pairs of dimensions, from the fastest to where the waves have grown flat; the chosen one is among
// them.
std::vector<int> wave_pairs(const PositionTable& table, const std::optional<PositionCell>& cell) {
  std::vector<int> pairs;
  const int half = table.waves() ? table.columns / 2 : table.columns - 2;
  for (int i = 0; i < 5; ++i) {
    const int pair = std::max(0, half * i / 4) / 2;
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
  }
  if (cell && cell->dimension) {
    const int chosen = table.pair_of(*cell->dimension);
    const auto nearest = std::min_element(pairs.begin(), pairs.end(), [chosen](int a, int b) {
      return std::abs(a - chosen) < std::abs(b - chosen);
    });
    *nearest = chosen;
  }
  return pairs;
}

// Position ticks that do not touch: 0, 8, 16, ... and the last.
std::vector<int> position_ticks(int count, int every) {
  std::vector<int> ticks;
  for (int p = 0; p < count - every / 2; p += every) ticks.push_back(p);
  if (count > 1) ticks.push_back(count - 1);
  return ticks;
}

// The curve of one dimension: smooth between the positions when a formula gives it.
std::vector<Point> wave(const PositionTable& table, int dimension, const Rect& box, double limit) {
  std::vector<Point> points;
  const bool smooth = table.waves();
  const int steps = smooth ? std::max(2, static_cast<int>(box.width / 2)) : table.rows - 1;
  for (int i = 0; i <= steps; ++i) {
    const double position = double(i) * (table.rows - 1) / std::max(1, steps);
    const double value =
        smooth ? position_wave(position, dimension, table.columns, table.form) : table.plane()(i, dimension);
    points.push_back({box.x + box.width * static_cast<float>(i) / static_cast<float>(std::max(1, steps)),
                      box.center().y - static_cast<float>(value / limit) * box.height / 2});
  }
  return points;
}

// A table with far more columns than rows: the whole room, cells up to four times as high as wide.
HeatmapLayout draw_wide_table(Canvas& canvas, const Rect& room, const PositionTable& table,
                              const HeatmapOptions& options) {
  constexpr float kLeft = 40, kRight = 76, kBelow = 22;
  HeatmapLayout layout;
  const float free = room.width - kLeft - kRight, pitch = free / static_cast<float>(table.columns);
  layout.cell_width = pitch >= 2 ? std::floor(pitch) : pitch;
  const float most = (room.height - kBelow) / static_cast<float>(table.rows);
  layout.cell_height = std::max(1.0f, std::floor(std::min(most, 4 * layout.cell_width)));
  layout.cells = {room.x + kLeft, room.y, layout.cell_width * static_cast<float>(table.columns),
                  layout.cell_height * static_cast<float>(table.rows)};
  layout.bounds = {room.x, room.y, room.width, layout.cells.height + kBelow};
  draw_heatmap_tile(canvas, layout.cells, {.values = table.plane()},
                    {.scale = options.scale, .limit = options.limit});
  draw_color_bar(canvas, {layout.cells.right() + 16, layout.cells.y, 12, layout.cells.height}, options.scale,
                 options.limit);
  canvas.hit_grid({layout.cells, table.rows, table.columns, options.cell_hit});

  // Indices at both axes.
  TextStyle index = index_style(canvas);
  index.x = AlignX::right;
  const int row_step = layout.cell_height * 2 >= 14 ? 2 : layout.cell_height * 4 >= 14 ? 4 : 8;
  for (int row = 0; row < table.rows; row += row_step)
    canvas.text({layout.cells.x - 10, layout.cell(row, 0).center().y}, std::to_string(row), index);
  index.x = AlignX::center;
  const int every = std::max(8, table.columns / 8 / 8 * 8);
  for (int column = 0; column < table.columns; column += every)
    canvas.text({layout.cell(0, column).center().x, layout.cells.bottom() + 14}, std::to_string(column),
                index);
  return layout;
}

// In the tables of both sides of a comparison, which share their scales.
double largest_magnitude_of(const PositionPicture& picture) {
  double largest = 0;
  for (const ViewInput& each : sharing_inputs(picture.input))
    largest = std::max(largest, largest_magnitude({.values = shown_table(each, picture.choice).plane()}));
  return largest;
}

void draw_angles(Canvas& canvas, const Rect& part, const PositionPicture& picture) {
  const PositionTable& table = picture.table;
  const auto angles = std::make_shared<const std::vector<float>>(angles_of(table));
  const Plane plane{angles->data(), table.rows, table.columns / 2};
  const Rect below = draw_heading(canvas, part, "How far each pair is turned",
                                  {.note = "radians, from −π to π", .note_right = false});
  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  options.limit = std::numbers::pi;
  options.numbers = false;
  options.columns_below = true;
  options.column_indices = true;
  options.min_cell = 1;
  options.max_aspect = 4;
  options.cell_hit = [before = picture.input.pinned, angles, plane, side = picture.choice.side,
                      values = std::make_shared<const PositionTable>(table),
                      words = words_of(picture.input, picture.choice.side).size()](int row, int pair) {
    HitRegion hit{.label = "position " + std::to_string(row) + " pair " + std::to_string(pair),
                  .tooltip = "position " + std::to_string(row) + ", pair " + std::to_string(pair) + "\n" +
                             format_pinned(plane(row, pair)) + " radians"};
    select_on(hit, *values, {row, 2 * pair, side}, before, words);
    return hit;
  };
  const Rect room{below.x, below.y, below.width, below.height - 22};
  const HeatmapLayout layout = draw_heatmap(canvas, room, {.values = plane}, options);
  canvas.text({layout.cells.x, layout.bounds.bottom() + 12}, "pair of columns →   rows: position",
              caption_style(canvas));

  const auto cell = position_cell(picture.input.shown, table);
  if (!cell || cell->position >= table.rows) return;
  const Rect first = layout.cell(cell->position, 0);
  canvas.rectangle({layout.cells.x - 2, first.y - 2, layout.cells.width + 4, layout.cell_height + 4},
                   {.outline = canvas.theme().ink, .outline_width = 2, .radius = 2});
}

}  // namespace

void draw_waves(Canvas& canvas, const Rect& part, const PositionPicture& picture) {
  const PositionTable& table = picture.table;
  const Theme& theme = canvas.theme();
  const auto cell = position_cell(picture.input.shown, table);
  const bool smooth = table.waves();
  const bool narrow = part.width < 320;
  const Rect below = draw_heading(canvas, part,
                                  table.turned() ? (narrow ? "Angles" : "Sine and cosine of the angles")
                                  : smooth       ? (narrow ? "Waves" : "Waves, one per dimension")
                                                 : "Values, one curve per dimension",
                                  {.note = smooth ? "wavelength, in positions" : "learned from the data"});
  const std::vector<int> pairs = wave_pairs(table, cell);
  const std::vector<Frequency> frequencies = position_frequencies(table.columns, table.form);
  const float beside = smooth ? kWavelengths : 0;  // room for the wavelengths
  const Rect plot{below.x + 40, below.y, below.width - 48 - beside, below.height - 46};
  const float pitch = plot.height / static_cast<float>(pairs.size());
  const double limit = std::max(1e-9, largest_magnitude_of(picture));
  const auto to_x = [&](int position) {
    return plot.x +
           plot.width * static_cast<float>(position) / static_cast<float>(std::max(1, table.rows - 1));
  };

  // The pinned position, under the curves.
  const bool marked = cell && cell->position < table.rows;
  if (marked)
    canvas.line({to_x(cell->position), plot.y}, {to_x(cell->position), plot.bottom()},
                {.color = theme.query, .width = 1.5f, .dashed = true});

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int sine = table.sine(pairs[i]), cosine = table.cosine(pairs[i]);
    const Rect row{plot.x, plot.y + pitch * static_cast<float>(i), plot.width, pitch};
    const Rect box{row.x, row.y + pitch * 0.12f, row.width, pitch * 0.76f};
    const bool chosen = cell && cell->dimension && table.pair_of(*cell->dimension) == pairs[i];
    const bool odd = chosen && *cell->dimension == cosine;

    // The cosine beside its sine; the chosen one of the two in blue.
    const Stroke strong{.color = chosen ? theme.query : theme.ink, .width = 2};
    const Stroke faint{.color = theme.faint_text, .width = 1};
    if (cosine < table.columns) canvas.polyline(wave(table, cosine, box, limit), odd ? strong : faint);
    canvas.polyline(wave(table, sine, box, limit), odd ? faint : strong);

    // Its number, and a ring where it meets the pinned position.
    TextStyle index = index_style(canvas);
    index.x = AlignX::right;
    if (chosen) index = {.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::right};
    canvas.text({plot.x - 12, box.center().y}, std::to_string(table.column(odd ? cosine : sine)), index);
    if (const auto pair = static_cast<std::size_t>(pairs[i]); smooth && pair < frequencies.size()) {
      TextStyle number = index_style(canvas);
      if (chosen) number.color = theme.ink;
      number.x = AlignX::right;
      canvas.text({below.right(), box.center().y}, wavelength_text(frequencies[pair].wavelength), number);
    }
    if (marked) {
      const double value = table.plane()(cell->position, odd ? cosine : sine);
      canvas.circle(
          {to_x(cell->position), box.center().y - static_cast<float>(value / limit) * box.height / 2},
          chosen ? 4.5f : 3.5f, theme.paper, {.color = strong.color, .width = 2});
    }
  }

  // The axis of positions.
  for (const int tick : position_ticks(table.rows, plot.width < 260 ? 16 : 8)) {
    if (marked && std::abs(to_x(tick) - to_x(cell->position)) < 20) continue;
    TextStyle style = index_style(canvas);
    style.x = AlignX::center;
    canvas.text({to_x(tick), plot.bottom() + 14}, std::to_string(tick), style);
  }
  if (marked)
    canvas.text({to_x(cell->position), plot.bottom() + 14}, std::to_string(cell->position),
                {.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::center});

  // What the lines mean.
  const float foot = plot.bottom() + 36;
  if (plot.width > 280) canvas.text({plot.x, foot}, "position →", caption_style(canvas));
  TextStyle right = caption_style(canvas);
  right.x = AlignX::right;
  const std::string apart =
      std::to_string(table.turned() ? table.column(1) - table.column(0) : table.cosine(0));
  float x = plot.right() + beside;
  for (const bool strong : {false, true}) {
    const std::string word =
        strong ? (smooth ? "sine" : "even") : (smooth ? "cosine, i + " : "odd, i + ") + apart;
    canvas.text({x, foot}, word, right);
    x -= canvas.measure(word, right).x + 8;
    canvas.line({x - 18, foot}, {x, foot},
                {.color = strong ? theme.ink : theme.faint_text, .width = strong ? 2.0f : 1.0f});
    x -= 34;
  }
}

void draw_table(Canvas& canvas, const Rect& part, const PositionPicture& picture) {
  const PositionTable& table = picture.table;
  if (table.turned()) return draw_angles(canvas, part, picture);
  const Theme& theme = canvas.theme();
  const std::string shape = std::to_string(table.rows) + " × " + std::to_string(table.columns);
  const Rect below = draw_heading(canvas, part, "The whole table", {.note = shape, .note_right = false});
  const auto cell = position_cell(picture.input.shown, table);

  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  options.limit = table.waves() ? 1 : largest_magnitude_of(picture);
  options.numbers = false;
  options.columns_below = true;
  options.column_indices = true;
  options.min_cell = 1;
  options.max_aspect = 4;
  // Asked for after the picture is done: it owns what it reads.
  options.cell_hit = [before = picture.input.pinned, values = std::make_shared<const PositionTable>(table),
                      side = picture.choice.side,
                      words = words_of(picture.input, picture.choice.side).size()](int row, int column) {
    HitRegion hit{.label = "position " + std::to_string(row) + " dimension " + std::to_string(column),
                  .tooltip = "position " + std::to_string(row) + ", dimension " + std::to_string(column) +
                             "\n" + format_pinned(values->plane()(row, column))};
    select_on(hit, *values, {row, column, side}, before, words);
    return hit;
  };
  // Wide tables get cells taller than wide, so that the waves stay readable.
  const Rect room{below.x, below.y, below.width, below.height - (picture.input.other ? 40 : 22)};
  const bool wide = table.columns > 48 && table.columns > table.rows;
  const HeatmapLayout layout = wide ? draw_wide_table(canvas, room, table, options)
                                    : draw_heatmap(canvas, room, {.values = table.plane()}, options);
  canvas.text({layout.cells.x, layout.bounds.bottom() + 12}, "dimension →   rows: position",
              caption_style(canvas));
  if (picture.input.other)
    canvas.text({layout.cells.x, layout.bounds.bottom() + 30}, kOneScale, caption_style(canvas));

  // The pinned row in ink, the pinned column in blue.
  if (!cell || cell->position >= table.rows) return;
  const Rect row{layout.cells.x - 2, layout.cell(cell->position, 0).y - 2, layout.cells.width + 4,
                 layout.cell_height + 4};
  canvas.rectangle(row, {.outline = theme.ink, .outline_width = 2, .radius = 2});
  if (cell->dimension && *cell->dimension < table.columns) {
    const Rect first = layout.cell(0, *cell->dimension);
    canvas.rectangle(
        {first.x - 2, layout.cells.y - 2, std::max(first.width, 2.0f) + 4, layout.cells.height + 4},
        {.outline = theme.query, .outline_width = 2, .radius = 2});
  }
}

}  // namespace glassformer
