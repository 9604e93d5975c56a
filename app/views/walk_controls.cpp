// Stepping through the Walk: buttons, the scrub bar, keys, and the list of steps in the map's column.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/ui.h"
#include "app/views/stage_text.h"
#include "app/views/walk_view.h"
#include "app/widgets/number_format.h"

namespace glassformer {

namespace {

constexpr std::array kSpeeds = {0.25, 0.5, 1.0, 2.0, 4.0};
constexpr double kStepSeconds = 1.2;  // at speed 1
constexpr float kRow = 24, kIndent = 14;

// Steps of one block belong together: the heading without the head.
bool same_block(const Step& a, const Step& b) {
  StepPlace left = a.place, right = b.place;
  left.head = right.head = -1;
  return left == right;
}

// A row of the list: a heading, or a step.
struct ListRow {
  std::string text;
  int depth = 0;
  int first = 0;  // the step, or the heading's first
  int last = 0;   // one behind the heading's last
  bool heading = false;
};

// Headings are closed unless the current step is below them.
std::vector<ListRow> list_rows(const std::vector<Step>& steps, int current) {
  const std::vector<std::string> open = step_path(steps[static_cast<std::size_t>(current)]);
  std::vector<ListRow> rows;
  std::vector<std::string> before;
  std::vector<std::size_t> headings;  // rows of the path that the last step stands under
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::vector<std::string> path = step_path(steps[i]);
    std::size_t same = 0;
    while (same < path.size() && same < before.size() && path[same] == before[same]) ++same;
    // How much of the path is open, and whether it is the very one of the current step.
    std::size_t shown = 0;
    while (shown < path.size() && shown < open.size() && path[shown] == open[shown]) ++shown;
    const bool visible = shown == path.size();
    headings.resize(std::min(headings.size(), same));
    for (std::size_t depth = headings.size(); depth < path.size() && depth <= shown; ++depth) {
      headings.push_back(rows.size());
      rows.push_back({path[depth], static_cast<int>(depth), static_cast<int>(i), 0, true});
    }
    for (const std::size_t heading : headings) rows[heading].last = static_cast<int>(i) + 1;
    if (visible)
      rows.push_back({std::string(steps[i].name), static_cast<int>(path.size()), static_cast<int>(i),
                      static_cast<int>(i) + 1, false});
    before = path;
  }
  return rows;
}

}  // namespace

void WalkView::move(const WalkScene& scene, int by) {
  step_ = std::clamp(std::clamp(step_, 0, last(scene)) + by, 0, last(scene));
}

void WalkView::move_block(const WalkScene& scene, int by) {
  const std::vector<Step>& steps = scene.steps;
  const auto at = [&](int i) -> const Step& { return steps[static_cast<std::size_t>(i)]; };
  int to = std::clamp(step_, 0, last(scene));
  if (by > 0) {
    const Step& from = at(to);
    while (to < last(scene) && same_block(from, at(to))) ++to;
  } else {
    // To the start of this block; from there to the start of the one before.
    if (to > 0 && !same_block(at(to), at(to - 1))) --to;
    while (to > 0 && same_block(at(to), at(to - 1))) --to;
  }
  step_ = to;
}

bool WalkView::key(char typed, const ViewInput& input, Commands&) {
  if (typed != 'b') return false;
  const auto found = walk_scene(*cache_, input, false);
  if (!found.current) return false;
  const std::vector<Step>& steps = found.value->steps;
  const auto first =
      std::ranges::find_if(steps, [](const Step& step) { return step.place.phase == StepPhase::backward; });
  const int backward = static_cast<int>(first - steps.begin());
  if (step_ < backward) {
    step_ = backward;
  } else {
    move(*found.value, 1);
  }
  return true;
}

void WalkView::keys(ui::Ui& ui, const WalkScene& scene) {
  using ui::Key;
  if (ui.field_active() || ui.popup_open()) return;
  const int before = step_;
  if (ui.pressed(Key::right)) ui.shift() ? move_block(scene, 1) : move(scene, 1);
  if (ui.pressed(Key::left)) ui.shift() ? move_block(scene, -1) : move(scene, -1);
  if (ui.pressed(Key::home)) step_ = 0;
  if (ui.pressed(Key::end)) step_ = last(scene);
  if (step_ != before) playing_ = false;
  if (ui.pressed(Key::space)) {
    playing_ = !playing_;
    next_ = std::chrono::steady_clock::now();
  }
  if (step_ != before || playing_) ui.ask_frame(0);
}

void WalkView::go_on_playing(ui::Ui& ui, const WalkScene& scene) {
  if (!playing_) return;
  const auto now = std::chrono::steady_clock::now();
  const double pause = kStepSeconds / kSpeeds[static_cast<std::size_t>(speed_)];
  if (now >= next_) {
    move(scene, 1);
    if (step_ >= last(scene)) playing_ = false;
    next_ = now + std::chrono::milliseconds(static_cast<int>(pause * 1000));
  }
  ui.ask_frame(std::max(0.01, std::chrono::duration<double>(next_ - now).count()));
}

void WalkView::transport(ui::Ui& ui, const WalkScene& scene, const Rect& rect) {
  const float y = rect.y;
  float x = rect.x;
  if (ui.Button({x, y, 76, 32}, "Back", {.icon = ui::Icon::back, .enabled = step_ > 0, .id = "Walk back"})) {
    playing_ = false;
    move(scene, -1);
  }
  x += 84;
  if (ui.IconButton({x, y, 36, 32}, playing_ ? ui::Icon::pause : ui::Icon::play,
                    playing_ ? "Pause the walk" : "Play the walk")) {
    playing_ = !playing_;
    next_ = std::chrono::steady_clock::now();
  }
  x += 44;
  if (ui.PrimaryButton({x, y, 84, 32}, "Next",
                       {.icon = ui::Icon::next, .enabled = step_ < last(scene), .id = "Walk next"})) {
    playing_ = false;
    move(scene, 1);
  }
  x += 100;

  // Speed and count at the right end, the scrub bar between.
  const std::string count =
      "Step " + format_count(std::clamp(step_, 0, last(scene)) + 1) + " of " + format_count(last(scene) + 1);
  const float count_width = ui.text_width(count) + 12;
  float right = rect.right();
  const std::vector<std::string> speeds = {"0.25×", "0.5×", "1×", "2×", "4×"};
  ui.Combo({right - 76, y, 76, 32}, "Speed", speeds, speed_);
  right -= 88;
  TextStyle style{.size = 14, .color = ui.theme().ink, .x = AlignX::right};
  ui.canvas().text({right, y + 16}, count, style);
  right -= count_width + 8;
  if (right - x < 60) return;
  double value = std::clamp(step_, 0, last(scene));
  const Rect bar{x, y, right - x, 32};
  // A tick where a phase begins.
  for (int i = 1; i <= last(scene); ++i) {
    const Step &before = scene.steps[static_cast<std::size_t>(i - 1)],
               &here = scene.steps[static_cast<std::size_t>(i)];
    const bool phase = before.place.phase != here.place.phase;
    const bool layer = before.place.layer != here.place.layer || before.place.encoder != here.place.encoder;
    if (!phase && !layer) continue;
    const float tick =
        std::round(bar.x + bar.width * static_cast<float>(i) / static_cast<float>(std::max(1, last(scene))));
    ui.canvas().line({tick, y + (phase ? 4.0f : 9.0f)}, {tick, y + (phase ? 28.0f : 23.0f)},
                     {.color = phase ? ui.theme().ink : ui.theme().control});
  }
  if (ui.Slider(bar, "Walk step", value,
                {.minimum = 0, .maximum = std::max(1.0, static_cast<double>(last(scene))), .step = 1})) {
    playing_ = false;
    step_ = static_cast<int>(value);
  }
}

void WalkView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const auto found = walk_scene(*cache_, input, false);
  if (!found.current) return ui.ask_frame(0.1);
  const WalkScene& scene = *found.value;
  if (scene.steps.empty()) return;
  keys(ui, scene);
  go_on_playing(ui, scene);
  const Rect inner = stage_inner(area);
  transport(ui, scene, {inner.x, area.bottom() - 44, inner.width, 32});
}

bool WalkView::left_column(ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  if (rect.width < 200) return false;
  const auto found = walk_scene(*cache_, input, false);
  if (!found.current || found.value->steps.empty()) return false;
  const WalkScene& scene = *found.value;
  const int at = std::clamp(step_, 0, last(scene));
  const std::vector<ListRow> rows = list_rows(scene.steps, at);
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
    const std::string steps = row.heading ? std::to_string(row.last - row.first) : "";
    canvas.text({x, line.center().y}, elided(canvas, row.text, style, line.right() - x - 40), style);
    if (row.heading) canvas.text({line.right() - 6, line.center().y}, steps, count);
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
