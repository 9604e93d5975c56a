#include "app/views/cell_view.h"

#include <algorithm>

#include "app/views/stage_text.h"
#include "app/widgets/number_format.h"
#include "engine/math/error.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kTransport = 56;  // kept free below the picture

std::string title_of(const CellScene& scene) {
  const std::string what = scene.is_weight() ? "a weight" : std::string(scene.step->name);
  return "One cell: " + what + ", " + scene.name();
}

std::string subtitle_of(const CellScene& scene) {
  if (scene.is_weight()) return "Everything that was computed comes from numbers like this one.";
  if (scene.work.product)
    return "The row on the left meets the column above. Multiply in pairs, add up, done.";
  using enum StepKind;
  switch (scene.step->kind) {
    case softmax:
      return "The largest score is taken off, the rest raised to powers of e and divided by their sum.";
    case log_softmax:
      return "As a softmax, but the logarithm of the share is kept.";
    case layer_norm:
    case final_norm:
      return "Taken from the mean of its row, divided by the deviation, stretched and moved.";
    case token_loss:
      return "What the right distribution y costs under the predicted one; p − y is what flows back.";
    case look_up:
      return "The word's id picks a row of the table.";
    case sinusoids:
      return "Computed from the place alone: nothing here is learned.";
    case tokenize:
    case shift_target:
      return "From here on the model knows only this number.";
    default:
      return "Each operand is a number of its own: click it to see how it was made.";
  }
}

Rect content_of(const Rect& area) {
  const Rect inner = stage_inner(area);
  const float top = area.y + kStageTop;
  return {inner.x, top, inner.width, area.bottom() - kTransport - top};
}

// All that its work reads.
bool is_source(const CellScene& scene, const CellRef& cell) {
  const auto reads = [&](const CellNumber& number) { return scene.source(number) == cell; };
  return std::ranges::any_of(scene.work.lines, [&](const CellLine& line) { return reads(line.number); }) ||
         std::ranges::any_of(scene.work.terms,
                             [&](const CellTerm& term) { return std::ranges::any_of(term.numbers, reads); });
}

}  // namespace

void CellView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const CellScene scene(input, *lists_, input.pinned.cell);
  draw_stage_title(canvas, area, title_of(scene), subtitle_of(scene));
  draw_cell(canvas, content_of(area), scene, progress(scene));
}

// An operand of the last cell lies behind it on the way back; anything else begins a new way.
void CellView::follow(const CellScene& scene) {
  if (current_ == scene.cell) return;
  if (current_) {
    const CellScene before(scene.reader.input(), *lists_, current_);
    const auto known = std::ranges::find(trail_, scene.cell);
    if (known != trail_.end()) {
      trail_.erase(known, trail_.end());
    } else if (before.cell == current_ && is_source(before, scene.cell)) {
      trail_.push_back(*current_);
    } else {
      trail_.clear();
    }
  }
  current_ = scene.cell;
  transport_.at = kLast;
}

void CellView::to_neighbour(ui::Ui& ui, const CellScene& scene) {
  using ui::Key;
  if (ui.field_active() || ui.popup_open() || !ui.shift()) return;
  const int rows = scene.reader.extent(scene.operand.rows),
            columns = scene.reader.extent(scene.operand.columns);
  int at = scene.row * columns + scene.column;
  if (ui.pressed(Key::right)) ++at;
  if (ui.pressed(Key::left)) --at;
  at = std::clamp(at, 0, rows * columns - 1);
  if (at == scene.row * columns + scene.column) return;
  const auto cell = scene.reader.cell(scene.operand, at / columns, at % columns);
  if (cell) ui.push(SetPin{selecting(scene.reader.input().pinned, *cell)});
}

void CellView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const CellScene scene(input, *lists_, input.pinned.cell);
  follow(scene);
  to_neighbour(ui, scene);
  const Rect inner = stage_inner(area);
  transport_.seconds = input.reduced_motion ? 0.8 : 0.5;
  transport_.show(ui, {inner.x, area.bottom() - 44, inner.width, 32}, cell_moments(scene.work),
                  {.name = "Cell", .word = "Moment", .hint = "click an operand, Backspace goes back"});
}

std::vector<std::string> CellView::path(const ViewInput& input) const {
  const CellScene scene(input, *lists_, input.pinned.cell);
  std::vector<std::string> path = scene.place();
  const bool followed = current_ == scene.cell;
  if (followed) {
    if (!trail_.empty()) path = CellScene(input, *lists_, trail_.front()).place();
    for (const CellRef& cell : trail_) path.push_back(cell_name(input, *lists_, cell));
  }
  path.push_back(scene.name());
  return path;
}

std::optional<InspectorPage> CellView::inspect(const ViewInput& input) const {
  const CellScene scene(input, *lists_, input.pinned.cell);
  const bool of_trace = input.pinned.cell && !scene.is_id() && scene.operand.store != OperandStore::loss;
  if (of_trace || input.hovering) return std::nullopt;
  InspectorPage page;
  page.caption = scene.is_weight() ? "Weight" : std::string(scene.step->name);
  page.subject = "**" + scene.name() + "**";
  page.value = scene.is_id() ? std::to_string(static_cast<int>(scene.value)) : format_pinned(scene.value);
  page.full_value = format_full(scene.value);
  page.name = scene.cell.name;
  if (!scene.is_weight()) {
    page.meaning = explanation(*scene.step);
    if (!scene.step->section.empty()) page.paper = "Paper, section " + std::string(scene.step->section);
  }
  return page;
}

std::vector<NumberTable> CellView::numbers(const ViewInput& input) const {
  const CellScene scene(input, *lists_, input.pinned.cell);
  std::vector<NumberTable> tables;
  NumberTable& value = tables.emplace_back();
  value.title = scene.name() + " (" + scene.cell.name + ")";
  value.columns = {"number"};
  for (const CellLine& line : scene.work.lines) {
    value.rows.push_back(line.label);
    value.values.push_back({line.number.value});
  }
  value.rows.emplace_back("recorded");
  value.values.push_back({scene.value});
  if (scene.work.terms.empty()) return tables;
  NumberTable& terms = tables.emplace_back();
  terms.title = "terms";
  terms.columns = scene.work.headings;
  for (const CellTerm& term : scene.work.terms) {
    terms.rows.push_back(scene.term_label(term.place));
    std::vector<double>& row = terms.values.emplace_back();
    for (const CellNumber& number : term.numbers) row.push_back(number.value);
  }
  return tables;
}

std::string CellView::caption(const ViewInput& input) const {
  const CellScene scene(input, *lists_, input.pinned.cell);
  std::string text = title_of(scene) + " = " + format_full(scene.value);
  if (!scene.is_weight()) text += ", " + symbols_formula(*scene.step);
  return text + ".";
}

// Back along the way that led here; from its beginning to the head, or to the attention.
bool CellView::up(int levels, const ViewInput& input, Commands& commands) {
  const auto length = static_cast<int>(trail_.size());
  if (levels <= length) {
    const CellRef to = trail_[static_cast<std::size_t>(length - levels)];
    commands.push_back(SetPin{selecting(input.pinned, to)});
    return true;
  }
  const CellScene scene(input, *lists_, input.pinned.cell);
  const bool of_head =
      parse_attention_name(trail_.empty() ? scene.cell.name : trail_.front().name).has_value();
  commands.push_back(OpenView{of_head ? "head" : "attention"});
  return true;
}

std::string CellView::state() const {
  return "trail " + std::to_string(trail_.size()) + (transport_.playing() ? ", playing" : "");
}

Selection CellView::cell_of_step(const ViewInput& input, int step, int row, int column) const {
  const CellScene scene(input, *lists_, std::nullopt);
  const std::vector<Step>& steps = scene.reader.steps();
  if (step < 0 || step >= static_cast<int>(steps.size()))
    throw Error("--step", "a cell belongs to a forward step, 1 to " + std::to_string(steps.size()));
  const Operand& output = steps[static_cast<std::size_t>(step)].output;
  const int rows = scene.reader.extent(output.rows), columns = scene.reader.extent(output.columns);
  if (row < 0 || row >= rows || column < 0 || column >= columns)
    throw Error("--row, --column", "this step gives " + std::to_string(rows) + " × " +
                                       std::to_string(columns) + " numbers, counted from 0");
  const auto cell = scene.reader.cell(output, row, column);
  return selecting(input.pinned, *cell);
}

std::unique_ptr<View> make_cell_view() {
  return std::make_unique<CellView>();
}

}  // namespace glassformer
