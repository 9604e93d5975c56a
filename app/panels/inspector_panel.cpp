#include "app/panels/inspector_panel.h"

#include <algorithm>

#include "app/inspector/inspector.h"
#include "app/inspector/pages.h"
#include "app/panels/comparing.h"
#include "app/panels/styles.h"
#include "app/reading/covered.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "app/widgets/rich_text.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

// The mean over heads is made by none of them: the first one's step represents all.
InspectorAction way_to_step(CellRef cell) {
  if (is_name_of_parameter(cell.name)) return {"How does training change it?", OpenStep{cell}};
  if (cell.index.size() == 4 && cell.index[1] < 0) {
    cell.index[1] = 0;
    return {"How was head 1’s weight computed?", OpenStep{cell}};
  }
  return {"How was this computed?", OpenStep{cell}};
}

}  // namespace

std::optional<CellRef> cell_to_work_out(const View& view, const ViewInput& input) {
  if (view.traits().pins_rows) return std::nullopt;
  std::optional<CellRef> cell = input.shown.cell;
  if (!cell && view.traits().shows_weights) cell = selected_cell(input.shown);
  if (!cell || (!cell->gradient && input.result.trace->find(cell->name) == nullptr)) return std::nullopt;
  if (cell->index.size() == 4) cell->index[1] = std::max(0, cell->index[1]);
  return cell;
}

// Of two that are compared the page says which one it shows.
std::optional<InspectorPage> InspectorPanel::page(const PanelInput& in) {
  const std::optional<ViewInput>& first = in.input;
  if (!first || !in.view) return std::nullopt;
  const Compared* const compared = in.session.compared();
  const bool two = compared && compared->second;
  const ViewInput input = in.comparing.explained_input(in.session, *first);
  std::optional<InspectorPage> page = page_of(in, input);
  if (!page || !two) return page;
  const bool second = &input.result == compared->second.get();
  const bool difference = in.comparing.shown_as() == ComparedAs::difference;
  // What shows no single number shows one of the two.
  page->caption = (difference && !page->value.empty() ? "difference"
                   : second                           ? compared->second_name
                                                      : compared->first_name) +
                  " · " + page->caption;
  std::optional<CellRef> cell = input.shown.cell;
  if (!cell && in.view->traits().shows_weights) cell = selected_cell(input.shown);
  if (cell && !page->value.empty())
    add_other_value(*page, *cell, {compared->first_name, *first},
                    {compared->second_name, second_input(*first, *compared)}, difference);
  return page;
}

// A view may explain itself; else the pinned or hovered number is explained.
std::optional<InspectorPage> InspectorPanel::page_of(const PanelInput& in, const ViewInput& input) {
  View* const beside = in.comparing.second_view(in);
  const bool second = in.session.compared() && &input.result == in.session.compared()->second.get();
  View* const view = second && beside ? beside : in.view;
  try {
    const auto with_all_selected = [&](InspectorPage page) {
      if (view->traits().shows_weights) add_selected_weights(page, input, input.shown);
      return page;
    };
    worked_out_.reset();
    if (is_asked_for(input))
      return InspectorPage{.caption = "Covered",
                           .subject = "**asked for**",
                           .meaning = "The page of the lesson asks for it: it opens with the answer."};
    worked_out_ = cell_to_work_out(*in.view, input);
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

void InspectorPanel::column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.line({rect.x + 0.5f, rect.y}, {rect.x + 0.5f, drawer ? rect.bottom() : in.layout.sentence.y},
              {.color = t.border});
  // A view's own column has no room for the drawer's cross: it is in a row above it.
  const Rect close{rect.right() - kPadding - 28, rect.y + 6, 32, 32};
  const float row = drawer ? kBreadcrumb : 0;
  if (in.input && in.view->column(ViewColumn::right, ui, in.comparing.shown_input(in.session, *in.input),
                                  {rect.x, rect.y + row, rect.width, rect.height - row})) {
    if (drawer && IconButton(ui, close, ui::Icon::close, "Close the inspector")) in.opened.inspector = false;
    return;
  }

  canvas.text({rect.x + kPadding, rect.y + 22}, "Inspector", styles::heading(t));
  canvas.line({rect.x, rect.y + 43.5f}, {rect.right(), rect.y + 43.5f}, {.color = t.border});
  const auto shown = page(in);
  float right = rect.right() - kPadding;
  if (drawer) {
    if (IconButton(ui, close, ui::Icon::close, "Close the inspector")) in.opened.inspector = false;
    right -= 40;
  }
  const Selection& pinned = in.session.pinned();
  if (in.session.hovering() && in.session.shown() != pinned) {
    canvas.text({right, rect.y + 22}, "hovered", styles::right(styles::caption(t)));
    ui.note({right - 60, rect.y + 12, 60, 20}, "inspector state", "hovered");
  } else if (pinned.cell || ((in.view->traits().shows_weights || in.view_name == "output") &&
                             (pinned.query || pinned.key))) {
    ui::draw_icon(canvas, ui::Icon::pin, {right - 8, rect.y + 22}, t.ink);
    canvas.text({right - 22, rect.y + 22}, "pinned", styles::right(styles::caption(t)));
    ui.note({right - 60, rect.y + 12, 60, 20}, "inspector state", "pinned");
  }

  const Rect body{rect.x + 1, rect.y + kBreadcrumb, rect.width - 1, rect.height - kBreadcrumb};
  if (!shown) {
    const char* words =
        in.result ? "Point at any number in a picture: this panel says what it is, how it was computed, "
                    "and from what. A click pins it."
                  : "Numbers will be explained here as soon as a sentence is translated.";
    paragraph(canvas, {rect.x + kPadding, body.y + 16}, rect.width - 2 * kPadding, words, styles::caption(t));
    return;
  }
  // The height is known only after drawing: the one of the last frame serves.
  const Rect content = ui.scroll.begin(body, "inspector", {body.width, height_});
  const float height =
      draw(ui, in, *shown, {content.x + kPadding - 1, content.y, rect.width - 2 * kPadding, 0});
  ui.scroll.end();
  if (height != height_) ui.ask_frame(0);
  height_ = height;
}

// Draws from the rectangle's top; returns the height.
float InspectorPanel::draw(ui::Ui& ui, const PanelInput& in, const InspectorPage& page, const Rect& rect) {
  const size_t before = ui.commands().size();
  InspectorColumn parts(ui, rect);
  parts.subject(page);
  if (parts.value(page, full_value_)) {
    full_value_ = !full_value_;
    if (!page.full_value.empty()) ui.push(CopyText{page.full_value});
  }
  parts.names(page);
  if (page.action && parts.link(page.action->label, "Opens the Walk at the step that made it"))
    ui.push(page.action->command);
  if (worked_out_ && !page.value.empty() && in.view_name != "cell" &&
      parts.link("Term by term", "Opens this number in the cell view; Backspace leads back")) {
    ui.push(SetPin{selecting(in.comparing.explained_input(in.session, *in.input).pinned, *worked_out_)});
    ui.push(OpenView{"cell"});
  }
  parts.choices(page);
  for (size_t i = 0; i < page.sections.size(); ++i) parts.section(page.sections[i], static_cast<int>(i) + 1);
  parts.meaning(page);
  in.comparing.explained_commands(in.session, ui.commands(), before);
  return parts.height();
}

// The small window's form: one line under the stage.
void InspectorPanel::line(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.line({rect.x, rect.y + 0.5f}, {rect.right(), rect.y + 0.5f}, {.color = t.border});
  const float y = rect.center().y;
  float right = rect.right() - kPadding;
  const std::string words = in.opened.inspector ? "closes the inspector" : "opens the inspector";
  const float width = ui.text_width(words, 12) + 34;
  if (ui.area({right - width, rect.y, width, rect.height}, "opens the inspector", "button").clicked)
    in.opened.inspector = !in.opened.inspector;
  canvas.text({right, y}, words, styles::right(styles::caption(t)));
  draw_keycap(canvas, {right - width, y}, "I");
  right -= width + 24;

  const auto shown = page(in);
  if (!shown) {
    canvas.text({rect.x + kPadding, y},
                elided(canvas, "Point at any number: its name, value and formula stand here.",
                       styles::caption(t), right - rect.x - kPadding),
                styles::caption(t));
    return;
  }
  float x = rect.x + kPadding;
  if (shown->swatch) {
    canvas.rectangle({x, y - 8, 16, 16}, {.fill = *shown->swatch, .outline = t.border, .radius = 2});
    x += 28;
  }
  const bool named = !shown->subject.empty();
  const std::string& subject = named ? shown->subject : shown->caption;
  std::string plain;
  for (size_t at = 0; at < subject.size(); ++at) {
    if (subject.compare(at, 2, "**") == 0) {
      ++at;
      continue;
    }
    plain += subject[at];
  }
  const float subject_width = ui.text_width(plain, 14, Font::semibold);
  const float value_width = canvas.measure(shown->value, styles::number(t, 14)).x;
  const float needed = subject_width + 24 + value_width;
  // What kind of thing it is, where that leaves room for the rest.
  const float kind = ui.text_width(shown->caption, 12);
  if (named && !shown->caption.empty() && x + kind + 12 + needed < right) {
    canvas.text({x, y}, shown->caption, styles::caption(t));
    x += kind + 12;
  }
  if (x + needed < right) {
    draw_rich_text(canvas, {x, y - 0.775f * 14}, subject_width + 40, subject,
                   {.plain = styles::caption(t), .bold_size = 14});
    x += subject_width + 24;
  }
  ui.note({x, rect.y, value_width, rect.height}, "inspector subject", subject);
  if (!shown->value.empty()) {
    canvas.text({x, y}, shown->value, styles::number(t, 14));
    x += value_width + 24;
  }
  ui.note({x, rect.y, value_width, rect.height}, "inspector value", shown->value);
  if (right - x < 60) return;
  // The first formula with numbers that fits; what has no number says what it means.
  for (const InspectorSection& section : shown->sections) {
    for (const Formula& formula : section.formulas) {
      const std::string text = formula_as_text(formula);
      if (canvas.measure(text, styles::faint_number(t)).x >= right - x ||
          text.find_first_of("0123456789") == std::string::npos)
        continue;
      return canvas.text({x, y}, text, styles::faint_number(t));
    }
  }
  if (shown->value.empty())
    canvas.text({x, y}, elided(canvas, shown->meaning, styles::caption(t), right - x), styles::caption(t));
}

}  // namespace glassformer
