#include "app/views/walk/walk.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/canvas/hit_region.h"
#include "app/inspector/work_formulas.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

// Cells in the rows and columns of a panel that are shown.
struct Block {
  int row = 0, column = 0, rows = 1, columns = 1;
};

Rect block_rect(const WalkPart& part, const Block& block) {
  return {part.corner.x + static_cast<float>(block.column) * part.cell.x,
          part.corner.y + static_cast<float>(block.row) * part.cell.y,
          part.cell.x * static_cast<float>(block.columns), part.cell.y * static_cast<float>(block.rows)};
}

// The shown part of the source cells; nothing when all of them are out of the window.
std::optional<Block> shown_block(const WalkPanel& panel, const SourceCells& cells) {
  const auto stretch = [](const WalkAxis& axis, int first, int count, int& at, int& length) {
    length = 0;
    for (std::size_t i = 0; i < axis.shown.size(); ++i) {
      if (axis.shown[i] < first || axis.shown[i] >= first + count) continue;
      if (length == 0) at = static_cast<int>(i);
      length = static_cast<int>(i) - at + 1;
    }
  };
  Block block;
  stretch(panel.rows, panel.transposed ? cells.first_column : cells.first_row,
          panel.transposed ? cells.columns : cells.rows, block.row, block.rows);
  stretch(panel.columns, panel.transposed ? cells.first_row : cells.first_column,
          panel.transposed ? cells.rows : cells.columns, block.column, block.columns);
  if (block.rows == 0 || block.columns == 0) return std::nullopt;
  return block;
}

void mark_cell(Canvas& canvas, const Rect& cell) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(cell.inset(-4), {.outline = theme.paper, .outline_width = 1.5f, .radius = 4});
  canvas.rectangle(cell.inset(-2), {.outline = theme.ink, .outline_width = 3, .radius = 3});
  if (cell.width >= 12 && cell.height >= 12)
    canvas.rectangle(cell.inset(1), {.outline = theme.paper, .outline_width = 1, .radius = 1});
}

Rect cells_of(const WalkPart& part) {
  return {part.corner.x, part.corner.y, part.cell.x * static_cast<float>(part.panel.columns.shown.size()),
          part.cell.y * static_cast<float>(part.panel.rows.shown.size())};
}

void draw_path(Canvas& canvas, const std::vector<Point>& points, const Stroke& stroke, bool head = true) {
  const Stroke halo{.color = canvas.theme().paper, .width = stroke.width + 3};
  const std::size_t last = points.size() - 1;
  for (std::size_t i = 0; i < last; ++i) canvas.line(points[i], points[i + 1], halo);
  if (head) draw_arrow(canvas, points[last - 1], points[last], halo);
  for (std::size_t i = 0; i + 1 < last; ++i) canvas.line(points[i], points[i + 1], stroke);
  if (head)
    draw_arrow(canvas, points[last - 1], points[last], stroke);
  else
    canvas.line(points[last - 1], points[last], stroke);
}

// What was read and the matrix in which it is; sources in turn take the other edge of the cells.
struct SourceArrow {
  Rect read, matrix;
  Stroke stroke;
  bool first = true;
  // On the way back: where its row of matrices ends, where the last one ends, and the gaps between columns.
  float row_bottom = 0, last_bottom = 0;
  std::vector<float> gaps = {};
};

// From what was read all the way to the cell, in the gaps between cells, so that numbers stay legible.
void draw_source_arrow(Canvas& canvas, const SourceArrow& arrow, const WalkPart& result, const Rect& target) {
  const Rect &read = arrow.read, &source = arrow.matrix;
  const Stroke& stroke = arrow.stroke;
  const bool first = arrow.first;
  const float words = result.corner.x - walk_label_width(canvas, result.panel);
  const Rect cells = cells_of(result);
  const bool side_by_side = source.right() < words && source.y < cells.bottom() && source.bottom() > cells.y;
  if (side_by_side) {
    const auto edge = [first](const Rect& cell) { return first ? cell.bottom() : cell.y; };
    const float from = edge(read), to = edge(target), turn = words - (first ? 10.0f : 16.0f);
    if (from == to) return draw_path(canvas, {{read.right() + 2, from}, {target.x - 2, to}}, stroke);
    return draw_path(canvas, {{read.right() + 2, from}, {turn, from}, {turn, to}, {target.x - 2, to}},
                     stroke);
  }
  if (source.bottom() < cells.y) {
    const auto edge = [first](const Rect& cell) { return first ? cell.x : cell.right(); };
    const float from = edge(read), to = edge(target), off = first ? 6.0f : 10.0f,
                turn = std::max(source.bottom(), arrow.row_bottom) + off;
    // It passes behind the heading and the words over the columns.
    constexpr float kShortest = 14;
    const float heading = result.corner.y - walk_head_room(canvas, result.panel, result.cell.x) - 2;
    const bool reaches_cells = target.y - cells.y > kShortest;
    std::vector<Point> path{{from, read.bottom() + 2}};
    if (from != to && arrow.last_bottom > turn && !arrow.gaps.empty()) {
      // Past the rows below in the gap between their columns: no label is there.
      const float lane =
          *std::ranges::min_element(arrow.gaps, {}, [&](float x) { return std::abs(x - from); });
      path.insert(path.end(), {{from, turn}, {lane, turn}, {lane, arrow.last_bottom + off}});
      path.push_back({to, arrow.last_bottom + off});
    } else if (from != to) {
      path.insert(path.end(), {{from, turn}, {to, turn}});
    }
    path.push_back({to, heading});
    draw_path(canvas, path, stroke, !reaches_cells);
    if (reaches_cells) draw_path(canvas, {{to, cells.y}, {to, target.y - 2}}, stroke);
    return;
  }
  draw_path(canvas, {{read.right() + 2, read.center().y}, {target.x - 2, target.center().y}}, stroke);
}

Rect part_cell(const WalkPart& part, const WalkPanel::Place& at) {
  if (!part.panel.matrix()) return {part.place.x, part.place.y + kWalkHeading + 6, 60, 36};
  return block_rect(part, {at.row, at.column, 1, 1});
}

constexpr float kBesideColumn = 12;  // half of the gap left of a part's place

struct MadeCell {
  int row = 0, column = 0;
  double value = 0;
};
// The chosen cell's place in what the step gives; nothing when it is elsewhere.
std::optional<MadeCell> made_cell(const WalkPicture& picture) {
  const WalkPanel panel = walk_panel(*picture.scene, picture.step, picture.step.output, picture.window);
  if (panel.values.empty() || !panel.matrix()) return std::nullopt;
  const auto place = panel.find(*picture.cell, picture.scene->weights->config);
  if (!place) return std::nullopt;
  return MadeCell{panel.rows.shown[static_cast<std::size_t>(place->row)],
                  panel.columns.shown[static_cast<std::size_t>(place->column)],
                  static_cast<double>(panel.at(static_cast<std::size_t>(place->row),
                                               static_cast<std::size_t>(place->column)))};
}

// Connectors pass under a whole row of matrices: labels are left of each.
void go_round(SourceArrow& arrow, const WalkLayout& layout, const WalkPart& from) {
  for (const WalkPart& part : layout.parts) {
    if (part.place.y >= layout.rule.y || !part.panel.matrix()) continue;
    const float bottom = cells_of(part).bottom();
    if (part.place.y == from.place.y) arrow.row_bottom = std::max(arrow.row_bottom, bottom);
    arrow.last_bottom = std::max(arrow.last_bottom, bottom);
    arrow.gaps.push_back(part.place.x - kBesideColumn);
  }
}

// The chain rule with the numbers of the chosen cell, each factor and what they come to.
void draw_chain_numbers(Canvas& canvas, const Rect& box, const WalkPicture& picture) {
  const Theme& theme = canvas.theme();
  const auto made = picture.cell ? made_cell(picture) : std::nullopt;
  if (!made && canvas.is_file()) return;  // nobody points into a file
  canvas.rectangle(box, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  if (!made) {
    const std::string words = "Under the mouse, or pinned, a number of " + picture.step.output.symbol +
                              " has each of its factors here.";
    const TextStyle style = caption_style(canvas);
    canvas.text({box.x + 12, box.center().y}, elided(canvas, words, style, box.width - 24), style);
    return;
  }
  const Step& step = picture.step;
  const CellWork work = cell_work(step, -1, made->row, made->column, picture.scene->numbers(), 0);
  const std::vector<Formula> all = work_formulas(step, work, made->column, made->value);
  // Row after row, smaller where they need more than there is room for.
  constexpr float kBetween = 28, kRow = 38;
  for (const float size : {14.0f, 12.0f, 11.0f, 10.0f}) {
    const FormulaStyle style{.size = size, .color = theme.ink};
    const float left = box.x + 12, right = box.right() - 12;
    std::vector<Point> places;
    float x = left, y = 0;
    for (const Formula& each : all) {
      const float width = measure_formula(canvas, each, style).width;
      if (x > left && x + width > right) x = left, y += kRow;
      places.push_back({x, y});
      x += width + kBetween;
    }
    if (y + kRow > box.height && size > 10) continue;
    const float top = box.y + (box.height - y) / 2;
    for (std::size_t i = 0; i < all.size(); ++i)
      draw_formula(canvas, {places[i].x, top + places[i].y}, all[i], style);
    break;
  }
  HitRegion hit;
  hit.rect = box;
  hit.label = "factors of the chosen number";
  for (const Formula& each : all) hit.tooltip += (hit.tooltip.empty() ? "" : "\n") + formula_as_text(each);
  canvas.hit(hit);
}

// The chosen cell wherever it is; when the step made it, what it was made from, with arrows.
void draw_marks(Canvas& canvas, const WalkLayout& layout, const WalkPicture& picture) {
  const StoredCell& cell = *picture.cell;
  const Config& config = picture.scene->weights->config;
  for (const WalkPart& part : layout.parts) {
    if (part.panel.values.empty()) continue;
    const auto place = part.panel.find(cell, config);
    if (!place || !part.panel.matrix()) continue;
    const Rect target = part_cell(part, *place);
    if (part.output) {
      const int row = part.panel.rows.shown[static_cast<std::size_t>(place->row)],
                column = part.panel.columns.shown[static_cast<std::size_t>(place->column)];
      std::vector<SourceArrow> arrows;
      for (const SourceCells& source : sources_of(picture.step, row, column, picture.scene->numbers())) {
        for (const WalkPart& from : layout.parts) {
          if (from.input != source.input || !from.panel.matrix()) continue;
          const auto block = shown_block(from.panel, source);
          if (!block) continue;
          const WalkColors colors = walk_colors(canvas.theme(), from.panel.operand);
          const Rect read = block_rect(from, *block);
          canvas.rectangle(read.inset(-2), {.outline = colors.frame, .outline_width = 2, .radius = 2});
          arrows.push_back({read, cells_of(from), {colors.frame, 1.5f}, arrows.size() % 2 == 0});
          if (picture.step.place.phase == StepPhase::backward) go_round(arrows.back(), layout, from);
        }
      }
      for (const SourceArrow& arrow : arrows) draw_source_arrow(canvas, arrow, part, target);
    }
    mark_cell(canvas, target);
  }
}

}  // namespace

void draw_walk_step(Canvas& canvas, const Rect& area, const WalkPicture& picture) {
  WalkLayout layout = walk_layout(canvas, area, *picture.scene, picture.step, picture.window);
  const bool back = picture.step.place.phase == StepPhase::backward;
  for (WalkPart& part : layout.parts) {
    const std::string all = summary_words(picture.summaries, part.panel.operand);
    if (!all.empty()) part.panel.note += (part.panel.note.empty() ? "" : ", ") + all;
    const WalkCellOptions options{.result = part.output,
                                  .title_width = part.title_width,
                                  .scene = picture.scene,
                                  .pinned = picture.pinned};
    if (part.panel.matrix()) {
      draw_walk_cells(canvas, part.corner, part.cell, part.panel, options);
    } else {
      draw_walk_words(canvas, part.place, part.panel, options);
    }
  }
  if (picture.cell) draw_marks(canvas, layout, picture);
  // Arrows pass behind the rule.
  draw_walk_rule(canvas, layout.rule, picture.step, back ? "Chain rule" : "",
                 picture.sizes ? sizes_formula(picture.step, picture.scene->numbers().sizes()) : "");
  if (layout.numbers.height > 0) draw_chain_numbers(canvas, layout.numbers, picture);
  if (!layout.note.empty())
    draw_formula(canvas, {area.x, layout.rule.bottom() + 28}, walk_formula(layout.note),
                 {.size = 12, .color = canvas.theme().second_text});
}

}  // namespace glassformer
