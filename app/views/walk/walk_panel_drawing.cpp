#include "app/views/walk/walk.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/inspector/pages.h"
#include "app/reading/step_reader.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/heatmap.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr float kWordsFrom = 11;  // px of a cell: smaller cells have no labels
constexpr float kMostLabel = 80;  // px of a word beside the rows
constexpr int kMostWordRows = 3;
constexpr float kSums = 48;  // px right of the cells

TextStyle word_style(const Canvas& canvas) {
  return {.size = 11, .color = canvas.theme().second_text, .x = AlignX::center};
}

std::string axis_word(const WalkAxis& axis, std::size_t at) {
  return at < axis.labels.size() ? axis.labels[at] : std::to_string(axis.shown[at]);
}

HeatmapData data_of(const WalkPanel& panel) {
  HeatmapData data;
  data.values = {panel.values.data(), static_cast<int>(panel.rows.shown.size()),
                 static_cast<int>(panel.columns.shown.size())};
  const bool weights = is_name_of(ValueKind::weights, panel.operand.name);
  const bool masked = weights || panel.operand.store == OperandStore::mask ||
                      is_name_of(ValueKind::masked_scores, panel.operand.name);
  if (masked && panel.operand.store != OperandStore::gradient) {
    const Plane plane = data.values;
    data.masked = [plane, weights](int row, int column) {
      const float value = plane(row, column);
      return weights ? value == 0 : std::isinf(value);
    };
  }
  return data;
}

// The number under the mouse, in full; a click pins it.
HitRegion cell_region(const WalkPanel& panel, int row, int column, const WalkCellOptions& options) {
  const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
  const auto named = [](const WalkAxis& axis, std::size_t at) {
    return at < axis.labels.size() ? "“" + axis.labels[at] + "”" : std::to_string(axis.shown[at]);
  };
  HitRegion hit;
  hit.label = "walk " + panel.place + " " + std::to_string(panel.rows.shown[i]) + " " +
              std::to_string(panel.columns.shown[j]);
  const WalkAxis &rows = panel.transposed ? panel.columns : panel.rows,
                 &columns = panel.transposed ? panel.rows : panel.columns;
  hit.tooltip = panel.title() + (panel.which.empty() ? "" : " of " + panel.which) +
                cell_text(panel.operand, named(rows, panel.transposed ? j : i),
                          named(columns, panel.transposed ? i : j)) +
                "\n" + format_full(static_cast<double>(panel.at(i, j)));
  if (options.scene != nullptr) {
    const StoredCell stored = panel.stored(options.scene->weights->config, i, j);
    const Selection selection =
        selecting(options.pinned, options.scene->reader().shown(stored).value_or(CellRef{}));
    hit.hover = SetHover{selection};
    hit.click = SetPin{selection};
    // One cell has those of the pass; of the optimizer's the inspector works them out.
    hit.tooltip += panel.operand.store == OperandStore::update
                       ? "\na click pins it: term by term beside it"
                       : "\na click pins it, then Enter: term by term";
  }
  return hit;
}

// What is behind the symbol; where there is no room for all of it, what the numbers cannot be read
// without.
std::string heading_note(const Canvas& canvas, float room, const WalkPanel& panel, const TextStyle& style) {
  const std::string factor =
      panel.factor > 1 ? "× " + format_count(static_cast<long long>(std::llround(panel.factor))) : "";
  std::string text;
  for (const std::vector<std::string>& parts :
       std::vector<std::vector<std::string>>{{panel.which, panel.shape, factor, panel.note},
                                             {panel.which, factor, panel.note},
                                             {factor, panel.note},
                                             {factor.empty() ? panel.shape : factor}}) {
    text.clear();
    for (const std::string& part : parts) text += (text.empty() || part.empty() ? "" : ", ") + part;
    if (canvas.measure(text, style).x <= room) return text;
  }
  return elided(canvas, text, style, room);
}

// Returns the width used.
float draw_title(Canvas& canvas, Point at, float width, const WalkPanel& panel) {
  const float used = draw_walk_symbol(canvas, at, panel.operand, panel.transposed);
  TextStyle shape = index_style(canvas);
  shape.size = 11;
  const float room = width - used - 10;
  if (room <= 24) return used;
  const std::string shown = heading_note(canvas, room, panel, shape);
  canvas.text({at.x + used + 10, at.y}, shown, shape);
  return used + 10 + canvas.measure(shown, shape).x;
}

constexpr float kPitch = 26, kIdChip = 84, kColumn = 136;  // of words with their ids

std::size_t word_columns(float width) {
  return static_cast<std::size_t>(std::max(1.0f, std::floor((width + kColumn - kIdChip - 44) / kColumn)));
}

// Chips with their ids, in as many columns as they need.
void draw_words(Canvas& canvas, const Rect& place, const WalkPanel& panel, const WalkCellOptions& options) {
  const Theme& theme = canvas.theme();
  TextStyle word{.size = 12, .color = theme.ink, .x = AlignX::center}, id = index_style(canvas);
  const auto rows = static_cast<std::size_t>(std::max(1.0f, std::floor((place.height - 20) / kPitch)));
  const std::size_t shown = std::min(panel.values.size(), rows * word_columns(place.width));
  for (std::size_t i = 0; i < shown; ++i) {
    const Rect chip{place.x + static_cast<float>(i / rows) * kColumn,
                    place.y + static_cast<float>(i % rows) * kPitch, kIdChip, kPitch - 3};
    canvas.rectangle(chip, {.fill = theme.panel, .outline = theme.control, .radius = 4});
    canvas.text(chip.center(), elided(canvas, axis_word(panel.rows, i), word, kIdChip - 8), word);
    canvas.line({chip.right() + 2, chip.center().y}, {chip.right() + 10, chip.center().y},
                {.color = theme.control});
    canvas.text({chip.right() + 14, chip.center().y}, format_count(static_cast<int>(panel.values[i])), id);
    HitRegion hit = cell_region(panel, static_cast<int>(i), 0, options);
    hit.rect = chip;
    canvas.hit(hit);
  }
  if (shown < panel.values.size())
    canvas.text({place.x, place.bottom() - 8}, "and " + std::to_string(panel.values.size() - shown) + " more",
                caption_style(canvas));
}

// A number that is alone has room: one step of Adam moves a weight in its fourth or fifth digit.
constexpr int kLoneDigits = 7;

void draw_number(Canvas& canvas, const Rect& place, const WalkPanel& panel, const WalkCellOptions& options) {
  const Theme& theme = canvas.theme();
  const TextStyle style{.font = Font::mono, .size = 14, .color = theme.ink};
  const std::string text = significant_text(static_cast<double>(panel.values[0]), kLoneDigits);
  const Rect box{place.x, place.y, std::min(place.width, canvas.measure(text, style).x + 24), 36};
  canvas.rectangle(box, {.fill = theme.panel,
                         .outline = options.result ? theme.ink : theme.control,
                         .outline_width = options.result ? 2.0f : 1.0f,
                         .radius = 4});
  canvas.text({box.x + 12, box.center().y}, elided(canvas, text, style, box.width - 16), style);
  HitRegion hit = cell_region(panel, 0, 0, options);
  hit.rect = box;
  canvas.hit(hit);
}

}  // namespace

int walk_word_rows(const Canvas& canvas, const WalkPanel& panel, float cell_width) {
  if (cell_width < kWordsFrom) return 0;
  float widest = 0;
  for (const std::string& label : panel.columns.labels)
    widest = std::max(widest, canvas.measure(label, word_style(canvas)).x);
  for (int rows = 1; rows <= kMostWordRows; ++rows)
    if (widest <= cell_width * static_cast<float>(rows) - 4) return rows;
  return 0;
}

float walk_head_room(const Canvas& canvas, const WalkPanel& panel, float cell_width) {
  return kWalkHeading +
         kWalkLabels * static_cast<float>(std::max(1, walk_word_rows(canvas, panel, cell_width)));
}

float walk_label_width(const Canvas& canvas, const WalkPanel& panel) {
  float width = 14;
  if (panel.rows.labels.empty() && !panel.rows.shown.empty())
    width = canvas.measure(std::to_string(panel.rows.shown.back()), caption_style(canvas)).x;
  for (const std::string& label : panel.rows.labels)
    width = std::max(width, canvas.measure(label, caption_style(canvas)).x);
  return std::min(width, kMostLabel) + 10;
}

namespace {

void draw_row_labels(Canvas& canvas, Point corner, float height, const WalkPanel& panel) {
  constexpr float kLine = 14;  // px of a word with what parts it from the next
  constexpr std::size_t kMostStep = 3;
  const auto step = static_cast<std::size_t>(std::ceil(kLine / height));
  if (step > kMostStep) return;
  TextStyle word = caption_style(canvas);
  word.x = AlignX::right;
  for (std::size_t i = 0; i < panel.rows.shown.size(); i += step) {
    canvas.text({corner.x - 8, corner.y + (static_cast<float>(i) + 0.5f) * height},
                elided(canvas, axis_word(panel.rows, i), word, kMostLabel), word);
  }
}

// Words are one higher than the next where they are wider than a cell; of indices as many as there is room
// for.
void draw_column_labels(Canvas& canvas, Point corner, float width, const WalkPanel& panel) {
  const int rows = panel.columns.labels.empty() ? 0 : walk_word_rows(canvas, panel, width);
  const float right = corner.x + width * static_cast<float>(panel.columns.shown.size());
  if (rows > 0) {
    const TextStyle word = word_style(canvas);
    for (std::size_t j = 0; j < panel.columns.shown.size(); ++j) {
      const int row = static_cast<int>(j) % rows;
      const float half = canvas.measure(panel.columns.labels[j], word).x / 2;
      const float x = std::min(corner.x + (static_cast<float>(j) + 0.5f) * width, right + 10 - half);
      canvas.text({x, corner.y - 10 - kWalkLabels * static_cast<float>(row)}, panel.columns.labels[j], word);
    }
    return;
  }
  TextStyle index = index_style(canvas);
  index.size = 11;
  index.x = AlignX::center;
  const std::string last = std::to_string(panel.columns.shown.empty() ? 0 : panel.columns.shown.back());
  const float needed = canvas.measure(last, index).x + 6;
  std::size_t step = 1;
  while (static_cast<float>(step) * width < needed && step < panel.columns.shown.size()) step *= 2;
  if (panel.columns.shown.size() <= 1) return;
  for (std::size_t j = 0; j < panel.columns.shown.size(); j += step)
    canvas.text({corner.x + (static_cast<float>(j) + 0.5f) * width, corner.y - 10},
                std::to_string(panel.columns.shown[j]), index);
}

// Right of the cells, where there is room.
void draw_sums(Canvas& canvas, const Rect& cells, float height, const WalkPanel& panel, float right) {
  if (panel.sums.empty() || height < kWordsFrom || cells.right() + kSums > right) return;
  TextStyle sum{.font = Font::mono, .size = 11, .color = canvas.theme().second_text, .x = AlignX::right};
  const float x = cells.right() + kSums - 8;
  TextStyle title = caption_style(canvas);
  title.x = AlignX::right;
  canvas.text({x, cells.y - 10}, "sum", title);
  for (std::size_t row = 0; row < panel.sums.size(); ++row)
    canvas.text({x, cells.y + (static_cast<float>(row) + 0.5f) * height}, format_fixed(panel.sums[row], 2),
                sum);
}

}  // namespace

Rect draw_walk_cells(Canvas& canvas, Point corner, Point cell, const WalkPanel& panel,
                     const WalkCellOptions& options) {
  const Theme& theme = canvas.theme();
  const Rect cells{corner.x, corner.y, cell.x * static_cast<float>(panel.columns.shown.size()),
                   cell.y * static_cast<float>(panel.rows.shown.size())};
  const float above = walk_head_room(canvas, panel, cell.x) - kWalkHeading;
  const float titled = draw_title(canvas, {corner.x, corner.y - 12 - above}, options.title_width, panel);
  if (panel.values.empty()) {
    canvas.text({corner.x, corner.y + 10}, panel.missing, caption_style(canvas));
    return cells;
  }
  draw_row_labels(canvas, corner, cell.y, panel);
  draw_column_labels(canvas, corner, cell.x, panel);
  draw_sums(canvas, cells, cell.y, panel, corner.x + options.title_width);

  HeatmapOptions heatmap;
  heatmap.scale = panel.scale;
  heatmap.color_bar = heatmap.show_row_labels = heatmap.show_column_labels = false;
  heatmap.min_cell = 2;
  heatmap.max_cell = static_cast<int>(std::max(cell.x, cell.y));
  heatmap.stretch = std::max(1.0f, cell.y / cell.x + 0.01f);
  heatmap.max_aspect = std::max(1.0f, cell.x / cell.y + 0.01f);
  heatmap.number_factor = panel.factor;
  const auto kept = std::make_shared<const WalkPanel>(panel);
  heatmap.cell_hit = [kept, options](int row, int column) {
    return cell_region(*kept, row, column, options);
  };
  const HeatmapLayout drawn = draw_heatmap(canvas, cells, data_of(panel), heatmap);
  // The colours' scale, where the heading leaves room.
  const TextStyle end{.font = Font::mono, .size = 12};
  const float bar = 64 + 2 * (canvas.measure(format_short(-drawn.limit), end).x + 8);
  if (options.title_width - titled > bar + 16)
    draw_color_bar_across(canvas, {corner.x + titled + 16 + (bar - 64) / 2, corner.y - 12 - above - 4, 64, 8},
                          panel.scale, drawn.limit);
  if (options.result)
    canvas.rectangle(drawn.cells.inset(-3), {.outline = theme.ink, .outline_width = 2, .radius = 2});
  return {drawn.cells.x, drawn.cells.y, drawn.cells.width + drawn.gap, drawn.cells.height + drawn.gap};
}

Point walk_cell_size(const Canvas& canvas, Point place, const WalkPanel& panel) {
  const auto columns = static_cast<float>(std::max<std::size_t>(1, panel.columns.shown.size()));
  const auto rows = static_cast<float>(std::max<std::size_t>(1, panel.rows.shown.size()));
  const float beside = panel.sums.empty() ? 14 : kSums;
  const float across = (place.x - walk_label_width(canvas, panel) - beside) / columns;
  // The words above cost height, and how much depends on the cells' width.
  Point best;
  for (int words = 1; words <= kMostWordRows; ++words) {
    const float down = (place.y - kWalkHeading - kWalkLabels * static_cast<float>(words) - 4) / rows;
    const float width = std::clamp(std::floor(across), 2.0f, 40.0f);
    best = {width, std::clamp(std::floor(down), 2.0f, std::max(width, 18.0f))};
    if (walk_word_rows(canvas, panel, width) <= words) break;
  }
  return best;
}

bool walk_panel_fits(const Canvas& canvas, Point place, const WalkPanel& panel) {
  if (panel.values.size() == 1) return place.x >= 116 && place.y >= 74;  // its heading and its box
  if (place.x < 130 || place.y < 90) return false;
  if (!panel.matrix()) return true;
  const auto columns = static_cast<float>(panel.columns.shown.size());
  const auto rows = static_cast<float>(panel.rows.shown.size());
  return place.x >= walk_label_width(canvas, panel) + 14 + 2 * columns &&
         place.y >= kWalkHeading + kWalkLabels + 4 + 2 * rows;
}

float walk_least_width(const WalkPanel& panel) {
  if (!panel.matrix()) return 136;
  return std::max(130.0f, kMostLabel + 24 + 2 * static_cast<float>(panel.columns.shown.size()));
}

float walk_least_height(const WalkPanel& panel, float width, float cell) {
  const auto rows = static_cast<float>(panel.rows.shown.size());
  if (panel.ids) {
    const auto columns = static_cast<float>(word_columns(width));
    return kWalkHeading + kWalkLabels + 26 + kPitch * std::ceil(rows / columns);
  }
  if (!panel.matrix()) return 90;
  const float words = panel.columns.labels.size() > 1 ? static_cast<float>(kMostWordRows) : 1;
  return std::max(90.0f, kWalkHeading + kWalkLabels * words + 4 + std::ceil(cell * rows));
}

void draw_walk_words(Canvas& canvas, const Rect& place, const WalkPanel& panel,
                     const WalkCellOptions& options) {
  draw_title(canvas, {place.x, place.y + 12}, place.width, panel);
  const Rect below{place.x, place.y + kWalkHeading + 6, place.width,
                   place.height - kWalkHeading - kWalkLabels};
  if (panel.ids) {
    draw_words(canvas, below, panel, options);
  } else if (panel.single()) {
    draw_number(canvas, below, panel, options);
  } else {
    canvas.text({below.x, below.y + 10}, panel.missing, caption_style(canvas));
  }
}

}  // namespace glassformer
