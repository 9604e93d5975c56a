#include "app/views/walk_view.h"

#include <algorithm>

#include "app/views/stage_text.h"
#include "app/views/walk_drawing.h"
#include "app/views/walk_panel.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kTransport = 56;  // kept free below the picture

std::string joined_path(const Step& step, const char* between) {
  std::string text;
  for (const std::string& part : step_path(step)) text += (text.empty() ? "" : between) + part;
  return text;
}

InspectorRow operand_row(const WalkScene& scene, const Operand& operand, const std::string& role) {
  InspectorRow row;
  row.label = operand.symbol + " " + role;
  std::erase(row.label, '_');
  row.value = shape_text(operand, scene.numbers().sizes());
  return row;
}

}  // namespace

const Step* WalkView::current(const WalkScene& scene) const {
  if (scene.steps.empty()) return nullptr;
  return &scene.steps[static_cast<std::size_t>(std::clamp(step_, 0, last(scene)))];
}

void WalkView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const auto found = walk_scene(*cache_, input, canvas.is_file());
  if (!found.current || current(*found.value) == nullptr) {
    return draw_nothing_yet(canvas, area, "Running the sentence forward and backward",
                            "Every value and every gradient of it will stand here in a moment.");
  }
  const WalkScene& scene = *found.value;
  const Step& step = *current(scene);
  const std::string phase = step_path(step).back();
  draw_stage_title(canvas, area, std::string(step.name), "");

  // Why it is there, then the formula and the numbers.
  const Rect inner = stage_inner(area);
  TextStyle body{.size = 14, .color = canvas.theme().second_text};
  const float width = std::min(inner.width, 860.0f), top = area.y + kStageTopBare;
  const float used = paragraph(canvas, {inner.x, top}, width, explanation(step), body);
  const float y = top + std::max(used, 2 * body.size * kLineHeight) + 12;
  draw_walk_step(canvas, {inner.x, y, inner.width, area.bottom() - kTransport - y - 8}, scene, step);
}

Point WalkView::minimum_size(const ViewInput& input) const {
  std::size_t longest = 0;
  for (const auto& row : input.result.trace->source) longest = std::max(longest, row.size());
  for (const auto& row : input.result.trace->target_in) longest = std::max(longest, row.size());
  return walk_minimum(longest);
}

std::vector<std::string> WalkView::path(const ViewInput& input) const {
  const auto found = walk_scene(*cache_, input, false);
  std::vector<std::string> path = {"Walk"};
  if (!found.current || current(*found.value) == nullptr) return path;
  for (const std::string& part : step_path(*current(*found.value))) path.push_back(part);
  path.emplace_back(current(*found.value)->name);
  return path;
}

std::optional<InspectorPage> WalkView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  const auto found = walk_scene(*cache_, input, false);
  if (!found.current || current(*found.value) == nullptr) return std::nullopt;
  const WalkScene& scene = *found.value;
  const Step& step = *current(scene);
  InspectorPage page;
  page.caption = joined_path(step, ", ");
  page.subject = "**" + std::string(step.name) + "**";
  page.name = step.output.name;
  if (step.output.store == OperandStore::gradient || step.output.store == OperandStore::parameter_gradient)
    page.index = "gradient";
  InspectorSection formula;
  formula.heading = "How it is computed";
  formula.formulas = {walk_formula(symbols_formula(step)), walk_formula(shapes_formula(step)),
                      walk_formula(sizes_formula(step, scene.numbers().sizes()))};
  page.sections.push_back(std::move(formula));
  InspectorSection operands;
  operands.heading = "What goes in and comes out";
  for (const Operand& operand : step.inputs) {
    if (operands.rows.size() < 8) operands.rows.push_back(operand_row(scene, operand, "goes in"));
  }
  operands.rows.push_back(operand_row(scene, step.output, "comes out"));
  for (const Operand& operand : step.also) operands.rows.push_back(operand_row(scene, operand, "as well"));
  page.sections.push_back(std::move(operands));
  page.meaning = explanation(step);
  if (!step.section.empty()) page.paper = "Paper, section " + std::string(step.section);
  return page;
}

std::vector<NumberTable> WalkView::numbers(const ViewInput& input) const {
  const auto found = walk_scene(*cache_, input, true);
  std::vector<NumberTable> tables;
  const WalkScene& scene = *found.value;
  const Step* step = current(scene);
  if (step == nullptr) return tables;
  const auto add = [&](const Operand& operand) {
    const WalkPanel panel = walk_panel(scene, operand);
    if (panel.values.empty()) return;
    NumberTable& table = tables.emplace_back();
    table.title = operand.symbol + " (" + operand.name + ")";
    const auto labels = [](const WalkAxis& axis) {
      std::vector<std::string> all = axis.labels;
      for (std::size_t i = all.size(); i < axis.shown.size(); ++i)
        all.push_back(std::to_string(axis.shown[i]));
      return all;
    };
    table.rows = labels(panel.rows);
    table.columns = labels(panel.columns);
    for (std::size_t i = 0; i < panel.rows.shown.size(); ++i) {
      std::vector<double>& row = table.values.emplace_back();
      for (std::size_t j = 0; j < panel.columns.shown.size(); ++j)
        row.push_back(static_cast<double>(panel.at(i, j)));
    }
  };
  for (const Operand& operand : step->inputs) add(operand);
  add(step->output);
  return tables;
}

std::string WalkView::caption(const ViewInput& input) const {
  const auto found = walk_scene(*cache_, input, true);
  const Step* step = current(*found.value);
  if (step == nullptr) return {};
  return joined_path(*step, ", ") + ": " + std::string(step->name) + ", " + symbols_formula(*step) + ".";
}

std::string WalkView::state() const {
  return "step " + std::to_string(step_) + (playing_ ? ", playing" : "");
}

std::unique_ptr<View> make_walk_view() {
  return std::make_unique<WalkView>();
}

}  // namespace glassformer
