// The list of steps in the map's column, folded by block.
#include <algorithm>

#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"
#include "app/views/walk/walk_view.h"

namespace glassformer {

namespace {

constexpr float kRow = 24, kIndent = 14;

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
  std::vector<std::size_t> headings;  // rows of the path that the last group stands under
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

bool WalkView::column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  if (which != ViewColumn::left || rect.width < 200) return false;
  const auto found = scene(input);
  if (!found || found->steps.empty()) return false;
  const int at = std::clamp(step_, 0, last(*found));
  const std::vector<ListRow> rows = list_rows(*found, at);
  Canvas& canvas = ui.canvas();
  const Theme& theme = canvas.theme();

  // The list follows the step.
  const float content = 16 + kRow * static_cast<float>(rows.size());
  if (scrolled_to_ != at) {
    scrolled_to_ = at;
    const auto row =
        std::ranges::find_if(rows, [&](const ListRow& each) { return !each.heading && each.first == at; });
    const float y = 8 + kRow * static_cast<float>(row - rows.begin());
    ui.scroll_to("walk steps", {0, std::max(0.0f, std::min(y - rect.height / 2, content - rect.height))});
  }
  const Rect inside = ui.begin_scroll(rect, "walk steps", {rect.width, content});
  float y = inside.y + 8;
  for (const ListRow& row : rows) {
    const Rect line{rect.x + 16, y, rect.width - 32, kRow};
    y += kRow;
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
      playing_ = false;
      step_ = row.first;
      ui.ask_frame(0);
    }
  }
  ui.end_scroll();
  return true;
}

}  // namespace glassformer
