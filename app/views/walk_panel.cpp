#include "app/views/walk_panel.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/canvas/hit_region.h"
#include "app/inspector/operands.h"
#include "app/views/stage_text.h"
#include "app/views/walk_drawing.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/number_format.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr int kMostCells = 64;    // of one axis
constexpr float kWordsFrom = 11;  // px of a cell: smaller cells have no labels

constexpr float kMostLabel = 80;  // px of a word beside the rows

std::string axis_word(const WalkAxis& axis, std::size_t at) {
  return at < axis.labels.size() ? axis.labels[at] : std::to_string(axis.shown[at]);
}

std::string count_note(const WalkAxis& axis) {
  return axis.complete() ? std::to_string(axis.total)
                         : std::to_string(axis.shown.size()) + " of " + std::to_string(axis.total);
}

HeatmapData data_of(const WalkPanel& panel) {
  HeatmapData data;
  data.values = {panel.values.data(), static_cast<int>(panel.rows.shown.size()),
                 static_cast<int>(panel.columns.shown.size())};
  const bool masked = panel.operand.name.ends_with("_attn") ||
                      panel.operand.name.ends_with(".masked_scores") ||
                      panel.operand.name.ends_with(".weights");
  if (masked && panel.operand.store != OperandStore::gradient) {
    const Plane plane = data.values;
    const bool weights = panel.operand.name.ends_with(".weights");
    data.masked = [plane, weights](int row, int column) {
      const float value = plane(row, column);
      return weights ? value == 0 : std::isinf(value);
    };
  }
  return data;
}

// The number under the mouse, in full.
HitRegion cell_region(const WalkPanel& panel, int row, int column) {
  const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
  const auto named = [](const WalkAxis& axis, std::size_t at) {
    return at < axis.labels.size() ? "“" + axis.labels[at] + "”" : std::to_string(axis.shown[at]);
  };
  HitRegion hit;
  hit.label = "walk " + panel.place + " " + std::to_string(panel.rows.shown[i]) + " " +
              std::to_string(panel.columns.shown[j]);
  hit.tooltip = panel.title + ", row " + named(panel.rows, i) + ", column " + named(panel.columns, j) + "\n" +
                format_full(static_cast<double>(panel.at(i, j)));
  return hit;
}

void draw_title(Canvas& canvas, Point at, float width, const WalkPanel& panel) {
  const FormulaStyle style{.size = 14, .color = canvas.theme().ink};
  const FormulaSize size = draw_formula(canvas, at, walk_formula(panel.title), style);
  TextStyle shape = index_style(canvas);
  shape.size = 11;
  const float room = width - size.width - 10;
  if (room > 24) canvas.text({at.x + size.width + 10, at.y}, elided(canvas, panel.shape, shape, room), shape);
}

// Chips with their ids, in as many columns as they need.
void draw_words(Canvas& canvas, const Rect& place, const WalkPanel& panel) {
  constexpr float kPitch = 26, kChip = 84, kColumn = 136;
  const Theme& theme = canvas.theme();
  TextStyle word{.size = 12, .color = theme.ink, .x = AlignX::center}, id = index_style(canvas);
  const auto rows = static_cast<std::size_t>(std::max(1.0f, std::floor((place.height - 20) / kPitch)));
  const auto columns =
      static_cast<std::size_t>(std::max(1.0f, std::floor((place.width + kColumn - kChip - 44) / kColumn)));
  const std::size_t shown = std::min(panel.values.size(), rows * columns);
  for (std::size_t i = 0; i < shown; ++i) {
    const Rect chip{place.x + static_cast<float>(i / rows) * kColumn,
                    place.y + static_cast<float>(i % rows) * kPitch, kChip, kPitch - 3};
    canvas.rectangle(chip, {.fill = theme.panel, .outline = theme.control, .radius = 4});
    canvas.text(chip.center(), elided(canvas, axis_word(panel.rows, i), word, kChip - 8), word);
    canvas.line({chip.right() + 2, chip.center().y}, {chip.right() + 10, chip.center().y},
                {.color = theme.control});
    canvas.text({chip.right() + 14, chip.center().y}, std::to_string(static_cast<int>(panel.values[i])), id);
  }
  if (shown < panel.values.size())
    canvas.text({place.x, place.bottom() - 8}, "and " + std::to_string(panel.values.size() - shown) + " more",
                caption_style(canvas));
}

void draw_number(Canvas& canvas, const Rect& place, const WalkPanel& panel, bool result) {
  const Theme& theme = canvas.theme();
  const TextStyle style{.font = Font::mono, .size = 14, .color = theme.ink};
  const std::string text = value_text(static_cast<double>(panel.values[0]));
  const Rect box{place.x, place.y, std::min(place.width, canvas.measure(text, style).x + 24), 36};
  canvas.rectangle(box, {.fill = theme.panel,
                         .outline = result ? theme.ink : theme.control,
                         .outline_width = result ? 2.0f : 1.0f,
                         .radius = 4});
  canvas.text({box.x + 12, box.center().y}, elided(canvas, text, style, box.width - 16), style);
}

// Numbers of a gradient are often too small for a cell: thousands of them are not.
double factor_of(const WalkPanel& panel) {
  const bool gradient = panel.operand.store == OperandStore::gradient ||
                        panel.operand.store == OperandStore::parameter_gradient;
  double largest = 0;
  for (const float value : panel.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  // The largest gets one digit before the point.
  if (!gradient || largest == 0 || largest >= 1) return 1;
  return std::pow(10.0, -std::floor(std::log10(largest)));
}

}  // namespace

WalkPanel walk_panel(const WalkScene& scene, const Operand& operand, bool transposed) {
  const StepNumbers numbers = scene.numbers();
  const OperandNumbers table = numbers.of(operand);
  WalkPanel panel;
  panel.operand = operand;
  panel.title = operand.symbol + (transposed ? "ᵀ" : "");
  panel.ids = operand.store == OperandStore::ids;
  WalkAxis rows = walk_axis(scene, operand.rows, kMostCells),
           columns = walk_axis(scene, operand.columns, kMostCells);
  if (operand.name == "target_out")
    rows.labels = {scene.written.begin(),
                   scene.written.begin() + static_cast<std::ptrdiff_t>(rows.shown.size())};
  if (operand.rows == Extent::one) rows.labels = {""};
  if (operand.columns == Extent::one) columns.labels = {""};
  panel.rows = transposed ? columns : rows;
  panel.columns = transposed ? rows : columns;
  panel.shape = count_note(panel.rows) + " × " + count_note(panel.columns);
  if (operand.name.ends_with(".weights") && operand.store == OperandStore::trace)
    panel.scale = ColorScale::weight;
  if (operand.name == "smoothed_target") panel.scale = ColorScale::weight;
  if (!table.recorded()) return panel;
  for (const int row : panel.rows.shown) {
    for (const int column : panel.columns.shown)
      panel.values.push_back(transposed ? table(column, row) : table(row, column));
  }
  panel.factor = panel.single() ? 1 : factor_of(panel);
  if (panel.factor > 1)
    panel.shape += ", × " + format_count(static_cast<long long>(std::llround(panel.factor)));
  return panel;
}

float walk_label_width(const Canvas& canvas, const WalkPanel& panel) {
  float width = 14;
  for (const std::string& label : panel.rows.labels)
    width = std::max(width, canvas.measure(label, caption_style(canvas)).x);
  return std::min(width, kMostLabel) + 8;
}

void draw_walk_cells(Canvas& canvas, Point corner, Point cell, const WalkPanel& panel,
                     const WalkCellOptions& options) {
  const Theme& theme = canvas.theme();
  const Rect cells{corner.x, corner.y, cell.x * static_cast<float>(panel.columns.shown.size()),
                   cell.y * static_cast<float>(panel.rows.shown.size())};
  const bool above = options.words_above && (cell.x >= kWordsFrom || panel.columns.labels.empty());
  draw_title(canvas, {corner.x, corner.y - 12 - (above ? kWalkLabels : 0)}, options.title_width, panel);
  if (panel.values.empty()) return;

  // Words or indices of the axes.
  if (options.words_left && cell.y >= kWordsFrom) {
    TextStyle word = caption_style(canvas);
    word.x = AlignX::right;
    const int step = cell.y >= 14 ? 1 : 2;
    for (std::size_t i = 0; i < panel.rows.shown.size(); i += static_cast<std::size_t>(step)) {
      canvas.text({corner.x - 6, corner.y + (static_cast<float>(i) + 0.5f) * cell.y},
                  elided(canvas, axis_word(panel.rows, i), word, kMostLabel), word);
    }
  }
  if (above) {
    TextStyle index = index_style(canvas);
    index.size = 11;
    index.x = AlignX::center;
    // Words are cut to the cell; of indices as many stand as there is room for.
    const bool words = !panel.columns.labels.empty();
    std::size_t step = 1;
    while (!words && static_cast<float>(step) * cell.x < 22 && panel.columns.shown.size() > 10) step *= 2;
    for (std::size_t j = 0; j < panel.columns.shown.size(); j += step) {
      std::string label = axis_word(panel.columns, j);
      if (words) label = elided(canvas, label, index, cell.x - 2);
      if (canvas.measure(label, index).x > cell.x * static_cast<float>(step)) continue;
      canvas.text({corner.x + (static_cast<float>(j) + 0.5f) * cell.x, corner.y - 8}, label, index);
    }
  }

  HeatmapOptions heatmap;
  heatmap.scale = panel.scale;
  heatmap.color_bar = heatmap.show_row_labels = heatmap.show_column_labels = false;
  heatmap.min_cell = 2;
  heatmap.max_cell = static_cast<int>(std::max(cell.x, cell.y));
  heatmap.stretch = std::max(1.0f, cell.y / cell.x + 0.01f);
  heatmap.max_aspect = std::max(1.0f, cell.x / cell.y + 0.01f);
  heatmap.number_factor = panel.factor;
  const auto kept = std::make_shared<const WalkPanel>(panel);
  heatmap.cell_hit = [kept](int row, int column) { return cell_region(*kept, row, column); };
  const HeatmapLayout drawn = draw_heatmap(canvas, cells, data_of(panel), heatmap);
  if (options.result)
    canvas.rectangle(drawn.cells.inset(-3), {.outline = theme.ink, .outline_width = 2, .radius = 2});
}

Point walk_cell_size(const Canvas& canvas, Point place, const WalkPanel& panel) {
  const auto columns = static_cast<float>(std::max<std::size_t>(1, panel.columns.shown.size()));
  const auto rows = static_cast<float>(std::max<std::size_t>(1, panel.rows.shown.size()));
  const float across = (place.x - walk_label_width(canvas, panel) - 4) / columns;
  const float down = (place.y - kWalkHeading - kWalkLabels - 4) / rows;
  const float width = std::clamp(std::floor(std::min(across, down)), 2.0f, 40.0f);
  return {width, std::clamp(std::floor(down), width, std::max(width, 18.0f))};
}

bool walk_panel_fits(const Canvas& canvas, Point place, const WalkPanel& panel) {
  if (place.x < 130 || place.y < 90) return false;
  if (panel.single() || panel.ids) return true;
  const auto columns = static_cast<float>(panel.columns.shown.size());
  const auto rows = static_cast<float>(panel.rows.shown.size());
  return place.x >= walk_label_width(canvas, panel) + 4 + 2 * columns &&
         place.y >= kWalkHeading + kWalkLabels + 4 + 2 * rows;
}

void draw_walk_panel(Canvas& canvas, const Rect& place, const WalkPanel& panel, bool result) {
  const Rect body{place.x, place.y + kWalkHeading + kWalkLabels, place.width,
                  place.height - kWalkHeading - kWalkLabels};
  if (panel.values.empty() || panel.ids || panel.single()) {
    draw_title(canvas, {place.x, place.y + 12}, place.width, panel);
    const Rect below{body.x, place.y + kWalkHeading + 6, body.width, body.height};
    if (panel.ids) {
      draw_words(canvas, below, panel);
    } else if (panel.single()) {
      draw_number(canvas, below, panel, result);
    } else {
      canvas.text({below.x, below.y + 10}, "not recorded", caption_style(canvas));
    }
    return;
  }
  draw_walk_cells(canvas, {body.x + walk_label_width(canvas, panel), body.y},
                  walk_cell_size(canvas, {place.width, place.height}, panel), panel,
                  {.words_left = true,
                   .words_above = true,
                   .result = result,
                   .title_width = place.width - walk_label_width(canvas, panel)});
}

}  // namespace glassformer
