#include "app/views/walk/walk_drawing.h"

#include <algorithm>
#include <optional>

#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/views/walk/walk_layout.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

// Cells in the rows and columns of a panel, as far as they are shown.
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

// What was read and the matrix in which it stands; sources in turn take the other edge of the cells.
struct SourceArrow {
  Rect read, matrix;
  Stroke stroke;
  bool first = true;
};

// From what was read all the way to the cell, in the gaps between cells, so that numbers stay legible.
void draw_source_arrow(Canvas& canvas, const SourceArrow& arrow, const WalkPart& result, const Rect& target) {
  const auto& [read, source, stroke, first] = arrow;
  const float words = result.corner.x - walk_label_width(canvas, result.panel);
  const Rect cells = cells_of(result);
  const bool side_by_side = source.right() < words && source.y < cells.bottom() && source.bottom() > cells.y;
  if (side_by_side) {
    const auto edge = [first = first](const Rect& cell) { return first ? cell.bottom() : cell.y; };
    const float from = edge(read), to = edge(target), turn = words - (first ? 10.0f : 16.0f);
    if (from == to) return draw_path(canvas, {{read.right() + 2, from}, {target.x - 2, to}}, stroke);
    return draw_path(canvas, {{read.right() + 2, from}, {turn, from}, {turn, to}, {target.x - 2, to}},
                     stroke);
  }
  if (source.bottom() < cells.y) {
    const auto edge = [first = first](const Rect& cell) { return first ? cell.x : cell.right(); };
    const float from = edge(read), to = edge(target), turn = source.bottom() + (first ? 6.0f : 10.0f);
    // It passes behind the heading and the words over the columns.
    constexpr float kShortest = 14;
    const float heading = result.corner.y - walk_head_room(canvas, result.panel, result.cell.x) - 2;
    const bool goes_on = target.y - cells.y > kShortest;
    std::vector<Point> path{{from, read.bottom() + 2}};
    if (from != to) path.insert(path.end(), {{from, turn}, {to, turn}});
    path.push_back({to, heading});
    draw_path(canvas, path, stroke, !goes_on);
    if (goes_on) draw_path(canvas, {{to, cells.y}, {to, target.y - 2}}, stroke);
    return;
  }
  draw_path(canvas, {{read.right() + 2, read.center().y}, {target.x - 2, target.center().y}}, stroke);
}

Rect part_cell(const WalkPart& part, const WalkPanel::Place& at) {
  if (!part.panel.matrix()) return {part.place.x, part.place.y + kWalkHeading + 6, 60, 36};
  return block_rect(part, {at.row, at.column, 1, 1});
}

// The chosen cell wherever it stands; when the step made it, what it was made from, with arrows.
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
                 sizes_formula(picture.step, picture.scene->numbers().sizes()));
  if (!layout.note.empty())
    draw_formula(canvas, {area.x, layout.rule.bottom() + 28}, walk_formula(layout.note),
                 {.size = 12, .color = canvas.theme().second_text});
}

}  // namespace glassformer
