#include <algorithm>

#include "app/inspector/inspector.h"
#include "app/inspector/other_value.h"
#include "app/inspector/selected_words.h"
#include "app/panels/inspector_column.h"
#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

// The mean over heads is made by none of them: the first one's step stands for all.
InspectorAction way_to_step(CellRef cell) {
  if (cell.name.ends_with("weight") || cell.name.ends_with("bias"))
    return {"How does training change it?", OpenStep{cell}};
  if (cell.index.size() == 4 && cell.index[1] < 0) {
    cell.index[1] = 0;
    return {"How was head 1’s weight computed?", OpenStep{cell}};
  }
  return {"How was this computed?", OpenStep{cell}};
}

}  // namespace

// Of two that are compared the page says which one it tells of.
std::optional<InspectorPage> Shell::page() {
  const auto first = view_input();
  if (!first || !current_view()) return std::nullopt;
  const Compared* const compared = session_.compared();
  const bool two = compared && compared->second;
  const ViewInput input = explained_input(*first);
  std::optional<InspectorPage> page = page_of(input);
  if (!page || !two) return page;
  const bool second = &input.result == compared->second.get();
  const bool difference = shown_as_ == ComparedAs::difference;
  // What tells of no single number tells of one of them.
  page->caption = (difference && !page->value.empty() ? "difference"
                   : second                           ? compared->second_name
                                                      : compared->first_name) +
                  " · " + page->caption;
  std::optional<CellRef> cell = input.shown.cell;
  if (!cell && current_view()->traits().shows_weights) cell = selected_cell(input.shown);
  if (cell && !page->value.empty())
    add_other_value(*page, *cell, {compared->first_name, *first},
                    {compared->second_name, second_input(*first, *compared)}, difference);
  return page;
}

// A view may explain itself; else the pinned or hovered number is explained.
std::optional<InspectorPage> Shell::page_of(const ViewInput& input) {
  View* const beside = second_view();
  const bool second = session_.compared() && &input.result == session_.compared()->second.get();
  View* const view = second && beside ? beside : current_view();
  try {
    const auto with_all_selected = [&](InspectorPage page) {
      if (view->traits().shows_weights) add_selected_weights(page, input, input.shown);
      return page;
    };
    worked_out_ = cell_to_work_out(input);
    if (auto own = view->inspect(input)) return with_all_selected(std::move(*own));
    std::optional<CellRef> cell = input.shown.cell;
    if (!cell && view->traits().shows_weights) cell = selected_cell(input.shown);
    if (!cell) return std::nullopt;
    InspectorPage page = with_all_selected(describe_cell(input, *cell));
    if (!page.value.empty()) page.action = way_to_step(*cell);
    return page;
  } catch (const std::exception& error) {
    return InspectorPage{.caption = "This number cannot be explained", .meaning = failure_words(error)};
  }
}

// The number explained, when the cell view can take it apart; of a mean over heads the first one's.
std::optional<CellRef> Shell::cell_to_work_out(const ViewInput& input) {
  std::optional<CellRef> cell = input.shown.cell;
  if (!cell && current_view()->traits().shows_weights) cell = selected_cell(input.shown);
  if (!cell || (!cell->gradient && input.result.trace->find(cell->name) == nullptr)) return std::nullopt;
  if (cell->index.size() == 4) cell->index[1] = std::max(0, cell->index[1]);
  return cell;
}

void Shell::inspector(const Rect& rect, bool drawer) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  canvas.line({rect.x + 0.5f, rect.y}, {rect.x + 0.5f, drawer ? rect.bottom() : layout_.sentence.y},
              {.color = t.border});
  // A view's own column has no room for the drawer's cross: it stands in a row above it.
  const Rect close{rect.right() - kPadding - 28, rect.y + 6, 32, 32};
  const float row = drawer ? kBreadcrumb : 0;
  if (const auto input = view_input();
      input && current_view()->column(ViewColumn::right, ui, shown_input(*input),
                                      {rect.x, rect.y + row, rect.width, rect.height - row})) {
    if (drawer && ui.IconButton(close, ui::Icon::close, "Close the inspector")) inspector_open_ = false;
    return;
  }

  canvas.text({rect.x + kPadding, rect.y + 22}, "Inspector", styles::heading(t));
  canvas.line({rect.x, rect.y + 43.5f}, {rect.right(), rect.y + 43.5f}, {.color = t.border});
  const auto shown = page();
  float right = rect.right() - kPadding;
  if (drawer) {
    if (ui.IconButton(close, ui::Icon::close, "Close the inspector")) inspector_open_ = false;
    right -= 40;
  }
  const Selection& pinned = session_.pinned();
  if (session_.hovering() && session_.shown() != pinned) {
    canvas.text({right, rect.y + 22}, "hovered", styles::right(styles::caption(t)));
    ui.note({right - 60, rect.y + 12, 60, 20}, "inspector state", "hovered");
  } else if (pinned.cell || ((current_view()->traits().shows_weights || view_ == "output") &&
                             (pinned.query || pinned.key))) {
    ui::draw_icon(canvas, ui::Icon::pin, {right - 8, rect.y + 22}, t.ink);
    canvas.text({right - 22, rect.y + 22}, "pinned", styles::right(styles::caption(t)));
    ui.note({right - 60, rect.y + 12, 60, 20}, "inspector state", "pinned");
  }

  const Rect body{rect.x + 1, rect.y + kBreadcrumb, rect.width - 1, rect.height - kBreadcrumb};
  if (!shown) {
    const char* words =
        result_ ? "Point at any number in a picture: this panel says what it is, how it was computed, "
                  "and from what. A click pins it."
                : "Numbers will be explained here as soon as a model is open.";
    paragraph(canvas, {rect.x + kPadding, body.y + 16}, rect.width - 2 * kPadding, words, styles::caption(t));
    return;
  }
  // The height is known only after drawing: the one of the last frame serves.
  const Rect content = ui.begin_scroll(body, "inspector", {body.width, inspector_height_});
  const float height =
      inspector_page(*shown, {content.x + kPadding - 1, content.y, rect.width - 2 * kPadding, 0});
  ui.end_scroll();
  if (height != inspector_height_) ui.ask_frame(0);
  inspector_height_ = height;
}

// Draws from the rectangle's top; returns the height.
float Shell::inspector_page(const InspectorPage& page, const Rect& rect) {
  InspectorColumn column(*ui_, rect);
  column.subject(page);
  if (column.value(page, full_value_)) {
    full_value_ = !full_value_;
    if (!page.full_value.empty()) ui_->push(CopyText{page.full_value});
  }
  column.names(page);
  if (page.action && column.link(page.action->label, "Opens the Walk at the step that made it"))
    ui_->push(page.action->command);
  if (worked_out_ && !page.value.empty() && view_ != "cell" &&
      column.link("Term by term", "Opens this number in the cell view; Backspace leads back")) {
    ui_->push(SetPin{selecting(session_.pinned(), *worked_out_)});
    ui_->push(OpenView{"cell"});
  }
  column.choices(page);
  for (size_t i = 0; i < page.sections.size(); ++i) column.section(page.sections[i], static_cast<int>(i) + 1);
  column.meaning(page);
  return column.height();
}

}  // namespace glassformer
