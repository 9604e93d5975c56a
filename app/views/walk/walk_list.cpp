// The list of steps in the map's column, folded by block.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/walk/walk.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr float kStepRow = 24, kIndent = 14;

// A row of the list: a heading, or a step.
struct ListRow {
  std::string text;
  int depth = 0;
  int first = 0;  // the step, or the heading's first
  int last = 0;   // one behind the heading's last
  bool heading = false;
};

// Headings are closed unless the current step is below them.
std::vector<ListRow> list_rows(const WalkScene& scene, int current) {
  const auto holds = [&](const WalkGroup& group) { return current >= group.first && current < group.last; };
  const std::vector<std::string>& open = std::ranges::find_if(scene.groups, holds)->path;
  std::vector<ListRow> rows;
  const std::vector<std::string> none;
  const std::vector<std::string>* before = &none;
  std::vector<std::size_t> headings;  // rows of the path that the last group is under
  for (const WalkGroup& group : scene.groups) {
    const std::vector<std::string>& path = group.path;
    std::size_t same = 0;
    while (same < path.size() && same < before->size() && path[same] == (*before)[same]) ++same;
    // How much of the path is open, and whether it is the very one of the current step.
    std::size_t shown = 0;
    while (shown < path.size() && shown < open.size() && path[shown] == open[shown]) ++shown;
    headings.resize(std::min(headings.size(), same));
    for (std::size_t depth = headings.size(); depth < path.size() && depth <= shown; ++depth) {
      headings.push_back(rows.size());
      rows.push_back({path[depth], static_cast<int>(depth), group.first, 0, true});
    }
    for (const std::size_t heading : headings) rows[heading].last = group.last;
    for (int i = group.first; shown == path.size() && i < group.last; ++i)
      rows.push_back({std::string(scene.steps[static_cast<std::size_t>(i)].name),
                      static_cast<int>(path.size()), i, i + 1, false});
    before = &path;
  }
  return rows;
}

}  // namespace

std::optional<int> step_list(ui::Ui& ui, const Rect& rect, const WalkScene& scene, int at, bool follows) {
  const std::vector<ListRow> rows = list_rows(scene, at);
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();
  const float content = 16 + kStepRow * static_cast<float>(rows.size());
  if (follows) {
    const auto row =
        std::ranges::find_if(rows, [&](const ListRow& each) { return !each.heading && each.first == at; });
    const float y = 8 + kStepRow * static_cast<float>(row - rows.begin());
    ui.scroll.to("walk steps", {0, std::max(0.0f, std::min(y - rect.height / 2, content - rect.height))});
  }
  const Rect inside = ui.scroll.begin(rect, "walk steps", {rect.width, content});
  std::optional<int> chosen;
  float y = inside.y + 8;
  for (const ListRow& row : rows) {
    const Rect line{rect.x + 16, y, rect.width - 32, kStepRow};
    y += kStepRow;
    if (line.bottom() < rect.y || line.y > rect.bottom()) continue;
    const bool current = !row.heading && row.first == at;
    const std::string label = row.heading ? "steps of " + row.text + " " + std::to_string(row.first)
                                          : "step " + std::to_string(row.first + 1);
    const ui::Response response = ui.area(line, label, "button", false);
    if (current) canvas.rectangle(line, {.fill = theme.ink, .radius = 4});
    if (!current && response.hovered) canvas.rectangle(line, {.fill = theme.hover, .radius = 4});
    const bool done = row.last <= at;
    const Color color = current ? theme.on_ink : row.heading || done ? theme.ink : theme.faint_text;
    TextStyle style{.font = row.heading && row.depth == 0 ? Font::semibold : Font::regular,
                    .size = row.heading && row.depth == 0 ? 14.0f : 12.0f,
                    .color = color};
    const float x = line.x + 8 + kIndent * static_cast<float>(row.depth);
    TextStyle count = index_style(canvas);
    count.size = 11;
    count.x = AlignX::right;
    const std::string number = row.heading ? std::to_string(row.last - row.first) : "";
    canvas.text({x, line.center().y}, elided(canvas, row.text, style, line.right() - x - 40), style);
    if (row.heading) canvas.text({line.right() - 6, line.center().y}, number, count);
    if (response.clicked) {
      chosen = row.first;
      ui.ask_frame(0);
    }
  }
  ui.scroll.end();
  return chosen;
}

namespace {

constexpr long kAtOnce = 100'000;  // numbers, about half a millisecond

std::vector<Operand> long_operands(const WalkScene& scene, const Step& step) {
  std::vector<Operand> found;
  for (const WalkOperand& each : walk_operands(step)) {
    const bool stretch =
        walk_stretches(scene, each.operand.rows) || walk_stretches(scene, each.operand.columns);
    if (stretch) found.push_back(each.operand);
  }
  return found;
}

WalkSummary summary_of(const WalkScene& scene, const Operand& operand) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  WalkSummary summary{operand.name, operand.store, kInfinity, -kInfinity};
  double sum = 0;
  long count = 0;
  const OperandNumbers numbers = scene.numbers().of(operand);
  for (int row = 0; numbers.recorded() && row < numbers.rows; ++row) {
    for (int column = 0; column < numbers.columns; ++column) {
      const auto value = static_cast<double>(numbers(row, column));
      if (!std::isfinite(value)) continue;
      summary.lowest = std::min(summary.lowest, value);
      summary.highest = std::max(summary.highest, value);
      sum += value;
      ++count;
    }
  }
  if (count > 0) summary.mean = sum / static_cast<double>(count);
  return summary;
}

}  // namespace

std::vector<WalkSummary> walk_summaries(SummaryCache& cache, const std::shared_ptr<const WalkScene>& scene,
                                        int step, bool at_once) {
  const std::vector<Operand> operands = long_operands(*scene, scene->steps[static_cast<std::size_t>(step)]);
  if (operands.empty()) return {};
  long count = 0;
  for (const Operand& operand : operands) {
    const StepNumbers numbers = scene->numbers();
    count += static_cast<long>(numbers.sizes().of(operand.rows)) * numbers.sizes().of(operand.columns);
  }
  const auto found = cache.get(SummaryKey{scene, step}, at_once || count <= kAtOnce, [scene, operands] {
    std::vector<WalkSummary> made;
    for (const Operand& operand : operands) made.push_back(summary_of(*scene, operand));
    return made;
  });
  return found.current ? *found.value : std::vector<WalkSummary>{};
}

std::string summary_words(const std::vector<WalkSummary>& summaries, const Operand& operand) {
  for (const WalkSummary& each : summaries) {
    if (each.name == operand.name && each.store == operand.store && each.lowest <= each.highest)
      return "all " + format_short(each.lowest) + " to " + format_short(each.highest) + ", mean " +
             format_short(each.mean);
  }
  return {};
}

// Matrices that are too large to be shown whole: moving the window through which they are seen.
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

bool stretch_sliders(ui::Ui& ui, const Rect& rect, const WalkScene& scene, const Step& step,
                     WalkWindow& window) {
  const std::vector<WalkStretch> stretches = walk_stretches(scene, step);
  float x = rect.x;
  const float each = (rect.width + 24) / static_cast<float>(std::max<std::size_t>(1, stretches.size())) - 24;
  bool moved = false;
  for (const WalkStretch& stretch : stretches) {
    const int shown = walk_shown(scene, stretch.side.extent);
    double first = std::clamp(window[stretch.side], 0, stretch.total - shown);
    const std::string words = stretch.letter + "  " + stretch_words(scene, stretch, static_cast<int>(first));
    const float used = ui.text_width(words, 12, Font::mono) + 12;
    ui.canvas().text({x, rect.center().y}, words, index_style(ui.canvas()));
    if (Slider(ui, {x + used, rect.y, std::max(40.0f, each - used), rect.height},
               "Shown stretch of " + stretch.letter, first,
               {.minimum = 0, .maximum = static_cast<double>(stretch.total - shown), .step = 1})) {
      window[stretch.side] = static_cast<int>(first);
      moved = true;
    }
    x += each + 24;
  }
  return moved;
}

// The wheel over a matrix, its scroll bars, and PgUp, PgDn (with Shift: sideways) while the mouse is over it.
bool scroll_matrices(ui::Ui& ui, const Rect& area, const WalkScene& scene, const Step& step,
                     WalkWindow& window) {
  const WalkWindow before = window;
  const WalkLayout layout = walk_layout(ui.canvas(), area, scene, step, window);
  for (const WalkPart& part : layout.parts) {
    const WalkPanel& panel = part.panel;
    if (!panel.matrix() || (!panel.rows.stretch && !panel.columns.stretch)) continue;
    const std::string label = "walk " + panel.place + " window";
    const auto count = [](const WalkAxis& axis) { return static_cast<float>(axis.shown.size()); };
    const Rect cells{part.corner.x, part.corner.y, count(panel.columns) * part.cell.x,
                     count(panel.rows) * part.cell.y};
    // The bars are beside the cells.
    const Rect view{cells.x, cells.y, cells.width + kBars, cells.height + kBars};
    const bool both = panel.rows.stretch && panel.columns.stretch;
    Point content{view.width, view.height}, offset;
    const auto stretch = [&](const WalkAxis& axis, WalkSide side, float cell, float& length, float& at,
                             float held) {
      if (!axis.stretch) return;
      length = static_cast<float>(axis.total) * cell + (both ? 0 : kBars);
      // Moved from elsewhere: the bar goes along.
      const int first = std::clamp(window[side], 0, axis.total - static_cast<int>(axis.shown.size()));
      at = std::lround(held / cell) == first ? held : static_cast<float>(first) * cell;
    };
    const Point held = ui.scroll.of(label);
    stretch(panel.rows, panel.down, part.cell.y, content.y, offset.y, held.y);
    stretch(panel.columns, panel.across, part.cell.x, content.x, offset.x, held.x);
    const auto mouse = ui.mouse();
    if (mouse && cells.contains(*mouse) && !ui.field_active() && !ui.popup.is_open()) {
      const float pages =
          (ui.pressed(ui::Key::page_down) ? 1.0f : 0.0f) - (ui.pressed(ui::Key::page_up) ? 1.0f : 0.0f);
      const bool sideways = panel.columns.stretch && (ui.shift() || !panel.rows.stretch);
      (sideways ? offset.x : offset.y) += pages * (sideways ? cells.width : cells.height);
    }
    ui.scroll.to(label, offset);
    ui.scroll.begin(view, label, content);
    ui.scroll.end();
    const Point now = ui.scroll.of(label);
    if (panel.rows.stretch) window[panel.down] = static_cast<int>(std::lround(now.y / part.cell.y));
    if (panel.columns.stretch) window[panel.across] = static_cast<int>(std::lround(now.x / part.cell.x));
    if (window != before) break;  // the others go along in the next frame
  }
  return window != before;
}

void bring_into_window(WalkWindow& window, const WalkScene& scene, const Step& step, const StoredCell& cell) {
  const auto reach = [&](WalkSide side, int at) {
    if (!walk_stretches(scene, side.extent)) return;
    const int place = walk_place(scene, side.extent, at), shown = walk_shown(scene, side.extent);
    if (place < window[side] || place >= window[side] + shown) window[side] = std::max(0, place - shown / 2);
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
