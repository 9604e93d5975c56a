#include "app/views/walk_drawing.h"

#include <algorithm>
#include <optional>

#include "app/views/stage_text.h"
#include "app/views/walk_layout.h"
#include "app/views/walk_rule.h"
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
  canvas.rectangle(cell.inset(-2), {.outline = theme.ink, .outline_width = 3, .radius = 3});
  if (cell.width >= 12 && cell.height >= 12)
    canvas.rectangle(cell.inset(1), {.outline = theme.paper, .outline_width = 1, .radius = 1});
}

// From the edge of what was read towards the panel of the result, as far as nothing is written: to the words
// beside its rows, to the heading above it, to the chain rule between them.
void draw_source_arrow(Canvas& canvas, const Rect& read, const WalkPart& result, const Rect& target,
                       const Rect& rule, Color color) {
  constexpr float kShortest = 14;
  const Stroke stroke{.color = color, .width = 1.5f};
  const float words = result.corner.x - walk_label_width(canvas, result.panel) - 4;
  const float heading = result.corner.y - walk_head_room(canvas, result.panel, result.cell.x);
  const bool beside = read.y < target.bottom() && read.bottom() > target.y;
  if (beside && words - read.right() > kShortest)
    return draw_arrow(canvas, {read.right() + 2, target.center().y}, {words, target.center().y}, stroke);
  const bool over_rule = read.bottom() < rule.y && rule.bottom() < target.y;
  const float end = over_rule ? rule.y - 2 : heading - 2;
  if (read.bottom() + kShortest < end)
    draw_arrow(canvas, {read.center().x, read.bottom() + 2}, {read.center().x, end}, stroke);
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
      for (const SourceCells& source : sources_of(picture.step, row, column, picture.scene->numbers())) {
        for (const WalkPart& from : layout.parts) {
          if (from.input != source.input || !from.panel.matrix()) continue;
          const auto block = shown_block(from.panel, source);
          if (!block) continue;
          const WalkColors colors = walk_colors(canvas.theme(), from.panel.operand);
          const Rect read = block_rect(from, *block);
          canvas.rectangle(read.inset(-2), {.outline = colors.frame, .outline_width = 2, .radius = 2});
          draw_source_arrow(canvas, read, part, target, layout.rule, colors.frame);
        }
      }
    }
    mark_cell(canvas, target);
  }
}

}  // namespace

void draw_walk_step(Canvas& canvas, const Rect& area, const WalkPicture& picture) {
  WalkLayout layout = walk_layout(canvas, area, *picture.scene, picture.step, picture.window);
  const bool back = picture.step.place.phase == StepPhase::backward;
  draw_walk_rule(canvas, layout.rule, picture.step, back ? "Chain rule" : "",
                 sizes_formula(picture.step, picture.scene->numbers().sizes()));
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
  if (!layout.note.empty())
    draw_formula(canvas, {area.x, layout.rule.bottom() + 28}, walk_formula(layout.note),
                 {.size = 12, .color = canvas.theme().second_text});
  if (layout.left_out > 0) {
    TextStyle note = caption_style(canvas);
    note.x = AlignX::right;
    canvas.text({area.right(), area.bottom() + 6},
                "and " + std::to_string(layout.left_out) + " more inputs, named in the inspector", note);
  }
}

Point walk_minimum(const WalkScene& scene, const Step& step) {
  const std::size_t tokens = std::max(scene.source.size(), scene.target.size());
  if (step.place.phase == StepPhase::backward) {
    // What arrives stands in several rows when it is much.
    const std::vector<WalkOperand> all = walk_operands(step);
    const auto arriving = std::ranges::count(all, false, &WalkOperand::leaves);
    const float more = arriving > 4 ? (tokens <= 16 ? 140.0f : 220.0f) : 0;
    return {640, (tokens <= 16 ? 560.0f : 720.0f) + more};
  }
  return {640, tokens <= 16 ? 500.0f : 600.0f};
}

}  // namespace glassformer
