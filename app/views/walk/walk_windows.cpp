// Matrices that are too large to be shown whole: moving the window through which they are seen.
#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/walk/walk_layout.h"
#include "app/views/walk/walk_view.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr float kBars = 10;  // px that scroll bars take beside the cells

// What of a long axis is seen.
std::string stretch_words(const WalkScene& scene, const WalkStretch& stretch, int first) {
  const Extent extent = stretch.side.extent;
  const int shown = walk_shown(scene, extent);
  const std::string total = " of " + format_count(stretch.total);
  if (first == 0 && is_vocabulary(extent)) return "the sentence’s words, " + std::to_string(shown) + total;
  return format_count(first) + "–" + format_count(first + shown - 1) + total;
}

}  // namespace

// A slider for each long axis of the step; below the picture, above the buttons.
bool WalkView::windows(ui::Ui& ui, const WalkScene& scene, const Rect& rect) {
  const std::vector<WalkStretch> stretches = walk_stretches(scene, *current(scene));
  float x = rect.x;
  const float each = (rect.width + 24) / static_cast<float>(std::max<std::size_t>(1, stretches.size())) - 24;
  bool moved = false;
  for (const WalkStretch& stretch : stretches) {
    const int shown = walk_shown(scene, stretch.side.extent);
    double first = std::clamp(window_[stretch.side], 0, stretch.total - shown);
    const std::string words = stretch.letter + "  " + stretch_words(scene, stretch, static_cast<int>(first));
    const float used = ui.text_width(words, 12, Font::mono) + 12;
    ui.canvas().text({x, rect.center().y}, words, index_style(ui.canvas()));
    if (ui.Slider({x + used, rect.y, std::max(40.0f, each - used), rect.height},
                  "Shown stretch of " + stretch.letter, first,
                  {.minimum = 0, .maximum = static_cast<double>(stretch.total - shown), .step = 1})) {
      window_[stretch.side] = static_cast<int>(first);
      moved = true;
    }
    x += each + 24;
  }
  return moved;
}

// The wheel over a matrix, its scroll bars, and PgUp, PgDn (with Shift: sideways) while the mouse is over it.
bool WalkView::scroll_matrices(ui::Ui& ui, const WalkScene& scene, const Rect& area) {
  const Step& step = *current(scene);
  if (walk_stretches(scene, step).empty()) return false;
  const WalkWindow before = window_;
  const WalkLayout layout =
      walk_layout(ui.canvas(), step_area(ui.canvas(), scene, area), scene, step, window_);
  for (const WalkPart& part : layout.parts) {
    const WalkPanel& panel = part.panel;
    if (!panel.matrix() || (!panel.rows.stretch && !panel.columns.stretch)) continue;
    const std::string label = "walk " + panel.place + " window";
    const auto count = [](const WalkAxis& axis) { return static_cast<float>(axis.shown.size()); };
    const Rect cells{part.corner.x, part.corner.y, count(panel.columns) * part.cell.x,
                     count(panel.rows) * part.cell.y};
    // The bars stand beside the cells.
    const Rect view{cells.x, cells.y, cells.width + kBars, cells.height + kBars};
    const bool both = panel.rows.stretch && panel.columns.stretch;
    Point content{view.width, view.height}, offset;
    const auto stretch = [&](const WalkAxis& axis, WalkSide side, float cell, float& length, float& at,
                             float held) {
      if (!axis.stretch) return;
      length = static_cast<float>(axis.total) * cell + (both ? 0 : kBars);
      // Moved from elsewhere: the bar goes along.
      const int first = std::clamp(window_[side], 0, axis.total - static_cast<int>(axis.shown.size()));
      at = std::lround(held / cell) == first ? held : static_cast<float>(first) * cell;
    };
    const Point held = ui.scroll_of(label);
    stretch(panel.rows, panel.down, part.cell.y, content.y, offset.y, held.y);
    stretch(panel.columns, panel.across, part.cell.x, content.x, offset.x, held.x);
    const auto mouse = ui.mouse();
    if (mouse && cells.contains(*mouse) && !ui.field_active() && !ui.popup_open()) {
      const float pages =
          (ui.pressed(ui::Key::page_down) ? 1.0f : 0.0f) - (ui.pressed(ui::Key::page_up) ? 1.0f : 0.0f);
      const bool sideways = panel.columns.stretch && (ui.shift() || !panel.rows.stretch);
      (sideways ? offset.x : offset.y) += pages * (sideways ? cells.width : cells.height);
    }
    ui.scroll_to(label, offset);
    ui.begin_scroll(view, label, content);
    ui.end_scroll();
    const Point now = ui.scroll_of(label);
    if (panel.rows.stretch) window_[panel.down] = static_cast<int>(std::lround(now.y / part.cell.y));
    if (panel.columns.stretch) window_[panel.across] = static_cast<int>(std::lround(now.x / part.cell.x));
    if (window_ != before) break;  // the others go along in the next frame
  }
  return window_ != before;
}

// The long axes are moved so that the cell is seen.
void WalkView::show_cell(const WalkScene& scene, const StoredCell& cell) {
  const Step& step = *current(scene);
  const auto reach = [&](WalkSide side, int at) {
    if (!walk_stretches(scene, side.extent)) return;
    const int place = walk_place(scene, side.extent, at), shown = walk_shown(scene, side.extent);
    if (place < window_[side] || place >= window_[side] + shown)
      window_[side] = std::max(0, place - shown / 2);
  };
  const Config& config = scene.weights->config;
  for (const WalkOperand& operand : walk_operands(step)) {
    if (operand.operand.name != cell.name || operand.operand.store != cell.store) continue;
    const bool split = operand.operand.head < 0 && cell.head >= 0;
    const WalkSides sides = walk_sides(step, operand.operand);
    reach(sides.rows, cell.row - operand.operand.first_row);
    reach(sides.columns,
          cell.column - operand.operand.first_column + (split ? cell.head * config.head_width() : 0));
  }
}

}  // namespace glassformer
