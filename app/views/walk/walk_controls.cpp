// Stepping through the Walk: buttons, the scrub bar, keys, and going to where a number is computed.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/step_reader.h"
#include "app/ui/ui.h"
#include "app/views/common/step_transport.h"
#include "app/views/walk/walk.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::array kSpeeds = {0.25, 0.5, 1.0, 2.0, 4.0};
constexpr double kStepSeconds = 1.2;  // at speed 1
constexpr float kFoot = 56, kSliders = 36;

// Steps of one block belong together: the heading without the head.
bool same_block(const Step& a, const Step& b) {
  StepPlace left = a.place, right = b.place;
  left.head = right.head = -1;
  return left == right;
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

bool WalkView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (key.typed == ViewKey::enter) return deeper(input, commands);
  if (key.typed != 'b') return false;
  const auto found = scene(input);
  if (!found) return false;
  const std::vector<Step>& steps = found->steps;
  const auto first =
      std::ranges::find_if(steps, [](const Step& step) { return step.place.phase == StepPhase::backward; });
  const int backward = static_cast<int>(first - steps.begin());
  playing_ = false;
  if (step_ < backward) {
    step_ = backward;
  } else {
    move(*found, 1);
  }
  return true;
}

// The pinned number term by term, or the first one of what this step gives.
bool WalkView::deeper(const ViewInput& input, Commands& commands) const {
  const auto found = scene(input);
  if (!found || found->steps.empty()) return false;
  const Operand& output = current(*found)->output;
  const Config& config = found->weights->config;
  const auto pinned = input.pinned.cell ? found->reader().stored(*input.pinned.cell) : std::nullopt;
  const StoredCell cell = pinned.value_or(stored_cell(output, 0, 0, config));
  if (cell.store == OperandStore::mask) return true;  // a rule
  if (!pinned)
    commands.push_back(SetPin{selecting(input.pinned, found->reader().shown(cell).value_or(CellRef{}))});
  // The optimizer's numbers are computed here, in the inspector.
  if (cell.store == OperandStore::update) return true;
  commands.push_back(OpenView{"cell"});
  return true;
}

void WalkView::keys(ui::Ui& ui, const WalkScene& scene) {
  using ui::Key;
  if (ui.field_active() || ui.popup.is_open()) return;
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

void WalkView::advance_playing(ui::Ui& ui, const WalkScene& scene) {
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
  const bool narrow = rect.width < 560;
  float x = rect.x;
  const bool back = narrow
                        ? IconButton(ui, {x, y, 36, 32}, ui::Icon::back, "Walk back", {.enabled = step_ > 0})
                        : Button(ui, {x, y, 76, 32}, "Back",
                                 {.icon = ui::Icon::back, .enabled = step_ > 0, .id = "Walk back"});
  if (back) {
    playing_ = false;
    move(scene, -1);
  }
  x += narrow ? 44 : 84;
  if (IconButton(ui, {x, y, 36, 32}, playing_ ? ui::Icon::pause : ui::Icon::play,
                 playing_ ? "Pause the walk" : "Play the walk")) {
    playing_ = !playing_;
    next_ = std::chrono::steady_clock::now();
  }
  x += 44;
  if (PrimaryButton(ui, {x, y, 84, 32}, "Next",
                    {.icon = ui::Icon::next, .enabled = step_ < last(scene), .id = "Walk next"})) {
    playing_ = false;
    move(scene, 1);
  }
  x += 100;

  // Speed and count at the right end, the scrub bar between.
  const std::string count = (narrow ? "" : "Step ") + format_count(std::clamp(step_, 0, last(scene)) + 1) +
                            " of " + format_count(last(scene) + 1);
  const float count_width = ui.text_width(count) + 12;
  float right = rect.right();
  const std::vector<std::string> speeds = {"0.25×", "0.5×", "1×", "2×", "4×"};
  Combo(ui, {right - 76, y, 76, 32}, "Speed", speeds, speed_);
  right -= 88;
  TextStyle style{.size = 14, .color = ui.theme().ink, .x = AlignX::right};
  ui.canvas().text({right, y + 16}, count, style);
  right -= count_width + 8;
  if (right - x < 60) return;
  double value = std::clamp(step_, 0, last(scene));
  const Rect bar{x, y, right - x, 32};
  if (Slider(ui, bar, "Walk step", value,
             {.minimum = 0, .maximum = std::max(1.0, static_cast<double>(last(scene))), .step = 1})) {
    playing_ = false;
    step_ = static_cast<int>(value);
  }
  segments(ui, scene, bar);
}

// Cuts the scrub bar where a block begins; a phase is marked by a longer line.
void WalkView::segments(ui::Ui& ui, const WalkScene& scene, const Rect& bar) {
  const Theme& theme = ui.theme();
  const auto at = [&](int step) {
    return std::round(bar.x +
                      bar.width * static_cast<float>(step) / static_cast<float>(std::max(1, last(scene))));
  };
  const float thumb = at(std::clamp(step_, 0, last(scene))), y = bar.center().y;
  float before = bar.x;
  for (std::size_t i = 1; i < scene.groups.size(); ++i) {
    const int first = scene.groups[i].first;
    const Step &previous = scene.steps[static_cast<std::size_t>(first - 1)],
               &here = scene.steps[static_cast<std::size_t>(first)];
    const bool phase = previous.place.phase != here.place.phase;
    const float x = at(first);
    // Of the cuts that are too close together one in a while is drawn.
    if (!phase && x - before < 4) continue;
    if (same_block(previous, here) && !phase) continue;
    if (std::abs(x - thumb) < 10) continue;
    if (phase) ui.canvas().line({x, y - 10}, {x, y + 10}, {.color = theme.ink});
    if (!phase) ui.canvas().rectangle({x - 1, y - 2, 2, 4}, {.fill = theme.paper});
    before = x;
  }
}

void WalkView::follow(const WalkScene& scene, const ViewInput& input) {
  if (input.pinned.cell) {
    const auto pinned = scene.reader().stored(*input.pinned.cell);
    if (pinned &&
        (pinned->store == OperandStore::parameter || pinned->store == OperandStore::parameter_gradient))
      weight_ = scene.weight;
  }
  if (!asked_) return;
  const CellRef asked = *std::exchange(asked_, std::nullopt);
  const auto cell = scene.reader().stored(asked);
  if (!cell) return;
  const StepNumbers numbers = scene.numbers();
  Maker maker = maker_of(*cell, scene.steps, numbers.sizes());
  if (maker.step == nullptr && cell->store == OperandStore::parameter) {
    // A weight is made by the step before; what changes it is the end of this one.
    step_ = last(scene);
    return;
  }
  if (maker.step == nullptr) return;
  playing_ = false;
  step_ = static_cast<int>(maker.step - scene.steps.data());
  bring_into_window(window_, scene, *current(scene), *cell);
}

bool WalkView::column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) {
  if (which != ViewColumn::left || rect.width < 200) return false;
  const auto found = scene(input);
  if (!found || found->steps.empty()) return false;
  const int at = std::clamp(step_, 0, last(*found));
  const bool follows = std::exchange(scrolled_to_, at) != at;
  if (const auto chosen = step_list(ui, rect, *found, at, follows)) {
    playing_ = false;
    step_ = *chosen;
  }
  return true;
}

void WalkView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const auto found = scene(input);
  if (!found || found->steps.empty()) return;
  const int before = step_;
  const float seen = ui.scroll.seen(area).width;
  if (width_ != area.width || seen_ != seen) ui.ask_frame(0);
  width_ = area.width;
  seen_ = seen;
  follow(*found, input);
  keys(ui, *found);
  advance_playing(ui, *found);
  const bool sliders = !walk_stretches(*found, *current(*found)).empty();
  bool moved =
      sliders && scroll_matrices(ui, step_area(ui.canvas(), *found, area), *found, *current(*found), window_);
  {
    const StageFoot foot(ui, area, sliders ? kFoot + kSliders : kFoot);
    moved = stretch_sliders(ui, foot.above(), *found, *current(*found), window_) || moved;
    transport(ui, *found, foot.transport());
  }
  // Another step begins at its top.
  if (step_ != shown_)
    for (const char* stage : {"stage", "second stage"}) ui.scroll.to(stage, {});
  shown_ = step_;
  if (step_ != before || moved) ui.ask_frame(0);
  if (checks_->busy() || summaries_->busy()) ui.ask_frame(0.05);
}

namespace {

std::string count_note(const WalkAxis& axis) {
  return axis.complete() ? format_count(axis.total)
                         : std::to_string(axis.shown.size()) + " of " + format_count(axis.total);
}

double factor_of(const WalkPanel& panel) {
  double largest = 0;
  for (const float value : panel.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return shown_factor(panel.operand, largest);
}

// Why a number is not there.
std::string missing_note(const WalkScene& scene, const Operand& operand) {
  return operand.store == OperandStore::update && !scene.moments_known() ? "not kept" : "not recorded";
}

std::optional<int> index_of(const WalkAxis& axis, int wanted) {
  const auto found = std::ranges::find(axis.shown, wanted);
  if (found == axis.shown.end()) return std::nullopt;
  return static_cast<int>(found - axis.shown.begin());
}

}  // namespace

StoredCell WalkPanel::stored(const Config& config, std::size_t row, std::size_t column) const {
  const int i = rows.shown[row], j = columns.shown[column];
  return stored_cell(operand, transposed ? j : i, transposed ? i : j, config);
}

std::optional<WalkPanel::Place> WalkPanel::find(const StoredCell& cell, const Config& config) const {
  if (cell.store != operand.store || cell.name != operand.name) return std::nullopt;
  if (operand.head >= 0 && cell.head != operand.head) return std::nullopt;
  const std::optional<ValueName> name = read_name(cell.name);
  const bool split = operand.head < 0 && cell.head >= 0 && name && has_heads(name->value);
  return find(cell.row - operand.first_row,
              cell.column - operand.first_column + (split ? cell.head * config.head_width() : 0));
}

std::optional<WalkPanel::Place> WalkPanel::find(int row, int column) const {
  if (transposed) std::swap(row, column);
  const auto i = index_of(rows, row), j = index_of(columns, column);
  if (!i || !j) return std::nullopt;
  return Place{*i, *j};
}

namespace {

// Of whole rows alone.
std::vector<double> row_sums(const WalkPanel& panel) {
  std::vector<double> sums;
  if (!panel.columns.complete()) return sums;
  for (std::size_t row = 0; row < panel.rows.shown.size(); ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < panel.columns.shown.size(); ++column)
      sum += static_cast<double>(panel.at(row, column));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

WalkPanel walk_panel(const WalkScene& scene, const Step& step, const Operand& operand,
                     const WalkWindow& window, bool transposed) {
  const StepNumbers numbers = scene.numbers();
  const OperandNumbers table = numbers.of(operand);
  WalkPanel panel;
  panel.operand = operand;
  panel.transposed = transposed;
  panel.ids = operand.store == OperandStore::ids;
  const WalkSides sides = walk_sides(step, operand);
  WalkAxis rows = walk_axis(scene, sides.rows, window), columns = walk_axis(scene, sides.columns, window);
  panel.down = transposed ? sides.columns : sides.rows;
  panel.across = transposed ? sides.rows : sides.columns;
  if (operand.name == "target_out") {
    for (std::size_t i = 0; i < rows.shown.size(); ++i)
      rows.labels[i] = scene.words->written[static_cast<std::size_t>(rows.shown[i])];
  }
  if (operand.rows == Extent::one) rows.labels = {""};
  if (operand.columns == Extent::one) columns.labels = {""};
  panel.rows = transposed ? columns : rows;
  panel.columns = transposed ? rows : columns;
  panel.shape = count_note(panel.rows) + " × " + count_note(panel.columns);
  if (is_name_of(ValueKind::weights, operand.name) && operand.store == OperandStore::trace)
    panel.scale = ColorScale::weight;
  if (is_name_of(ValueKind::smoothed_target, operand.name)) panel.scale = ColorScale::weight;
  panel.missing = missing_note(scene, operand);
  if (!table.recorded()) return panel;
  for (const int row : panel.rows.shown) {
    for (const int column : panel.columns.shown)
      panel.values.push_back(transposed ? table(column, row) : table(row, column));
  }
  panel.factor = panel.single() ? 1 : factor_of(panel);
  if (is_name_of(ValueKind::weights, operand.name) && panel.scale == ColorScale::weight)
    panel.sums = row_sums(panel);
  return panel;
}

}  // namespace glassformer
