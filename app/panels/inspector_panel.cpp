#include <algorithm>

#include "app/inspector/inspector.h"
#include "app/inspector/other_value.h"
#include "app/inspector/selected_words.h"
#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/formula_lines.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/token_strip.h"

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

// Past the first link where the column is wide enough for both, else below it.
constexpr float kBetweenLinks = 20;
constexpr const char* kTermByTerm = "Term by term";

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
  page->caption = (difference ? "difference"
                   : second   ? compared->second_name
                              : compared->first_name) +
                  " · " + page->caption;
  std::optional<CellRef> cell = input.shown.cell;
  if (!cell && current_view()->shows_weights()) cell = selected_cell(input.shown);
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
      if (view->shows_weights()) add_selected_weights(page, input, input.shown);
      return page;
    };
    worked_out_ = cell_to_work_out(input);
    if (auto own = view->inspect(input)) return with_all_selected(std::move(*own));
    std::optional<CellRef> cell = input.shown.cell;
    if (!cell && view->shows_weights()) cell = selected_cell(input.shown);
    if (!cell) return std::nullopt;
    InspectorPage page = with_all_selected(describe_cell(input, *cell));
    if (!page.value.empty()) page.action = way_to_step(*cell);
    return page;
  } catch (const std::exception& error) {
    return InspectorPage{.caption = "This number cannot be explained", .meaning = error.what()};
  }
}

// The number explained, when the cell view can take it apart; of a mean over heads the first one's.
std::optional<CellRef> Shell::cell_to_work_out(const ViewInput& input) {
  std::optional<CellRef> cell = input.shown.cell;
  if (!cell && current_view()->shows_weights()) cell = selected_cell(input.shown);
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
      input &&
      current_view()->right_column(ui, *input, {rect.x, rect.y + row, rect.width, rect.height - row})) {
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
  } else if (pinned.cell ||
             ((current_view()->shows_weights() || view_ == "output") && (pinned.query || pinned.key))) {
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
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  const float x = rect.x, width = rect.width, right = rect.x + rect.width;
  float y = rect.y + 24;
  const auto divider = [&] {
    y += 14;
    canvas.line({x, y + 0.5f}, {right, y + 0.5f}, {.color = t.border});
    y += 10;
  };
  const auto block = [&](const std::string& text, const TextStyle& style) {
    y += paragraph(canvas, {x, y}, width, text, style);
  };

  if (!page.caption.empty()) {
    canvas.text({x, y}, elided(canvas, page.caption, styles::caption(t), width), styles::caption(t));
    y += 14;
  }
  if (!page.subject.empty()) {
    const RichTextStyle style{.plain = styles::body_second(t), .bold_size = 18};
    y += draw_rich_text(canvas, {x, y}, width, page.subject, style) + 4;
    ui.note({x, y - 28, width, 28}, "inspector subject", page.subject);
  }
  if (!page.value.empty()) {
    const Rect line{x, y, width, 36};
    float at = x;
    if (page.swatch) {
      canvas.rectangle({x, y + 4, 28, 28}, {.fill = *page.swatch, .outline = t.border, .radius = 4});
      at += 40;
    }
    // A click shows every digit.
    const bool full = full_value_ && !page.full_value.empty();
    const std::string& value = full ? page.full_value : page.value;
    float size = full ? 18 : 28;
    while (size > 12 && canvas.measure(value, styles::number(t, size)).x > right - at) size -= 2;
    if (ui.area(line, "value").clicked) {
      full_value_ = !full_value_;
      if (!page.full_value.empty()) ui.push(CopyText{page.full_value});
    }
    ui.tooltip(line, "Click: every digit, and a copy of it");
    canvas.text({at, y + 18}, elided(canvas, value, styles::number(t, size), right - at),
                styles::number(t, size));
    ui.note(line, "inspector value", value);
    y += 44;
  }
  if (!page.name.empty()) {
    TextStyle name = styles::faint_number(t);
    if (canvas.measure(page.name, name).x > width) name.size = 11;
    canvas.text({x, y + 6}, elided(canvas, page.name, name, width), name);
    ui.tooltip({x, y - 3, width, 18}, page.name);
    ui.note({x, y - 3, width, 18}, "inspector name", page.name);
    y += 20;
  }
  if (!page.index.empty()) {
    canvas.text({x, y + 6}, elided(canvas, page.index, styles::faint_number(t), width),
                styles::faint_number(t));
    ui.note({x, y - 3, width, 18}, "inspector index", page.index);
    y += 18;
  }
  float link = x;
  if (page.action) {
    y += 10;
    if (ui.LinkButton({x, y}, page.action->label, {.tooltip = "Opens the Walk at the step that made it"}))
      ui.push(page.action->command);
    link += ui.text_width(page.action->label, 12) + kBetweenLinks;
    y += 22;
  }
  if (worked_out_ && !page.value.empty() && view_ != "cell") {
    const bool beside = link > x && link + ui.text_width(kTermByTerm, 12) <= right;
    if (!beside) y += link > x ? 2 : 10;
    if (ui.LinkButton({beside ? link : x, beside ? y - 22 : y}, kTermByTerm,
                      {.tooltip = "Opens this number in the cell view; Backspace leads back"})) {
      ui.push(SetPin{selecting(session_.pinned(), *worked_out_)});
      ui.push(OpenView{"cell"});
    }
    if (!beside) y += 22;
  }
  for (const InspectorSwitch& choice : page.switches) {
    bool on = choice.on;
    y += 10;
    if (ui.Switch({x, y}, choice.label, on)) ui.push(choice.command);
    y += 22;
  }

  for (size_t s = 0; s < page.sections.size(); ++s) {
    const InspectorSection& section = page.sections[s];
    divider();
    if (!section.heading.empty()) {
      y += 8;
      canvas.text({x, y}, section.heading, styles::section(t));
      if (!section.note.empty())
        canvas.text({right, y}, section.note, styles::right(styles::faint_number(t)));
      y += 14;
    }
    for (const Formula& formula : section.formulas) {
      // Too long for the column: on several lines, all but the first a little to the right.
      constexpr float kIndent = 16;
      const std::vector<Formula> lines = formula_lines(canvas, formula, width - kIndent);
      for (size_t i = 0; i < lines.size(); ++i) {
        FormulaStyle style;
        const float natural = measure_formula(canvas, lines[i], style).width;
        if (natural > width - kIndent) style.size = std::max(10.0f, 14 * (width - kIndent) / natural);
        const FormulaSize size = measure_formula(canvas, lines[i], style);
        y += size.ascent + 4;
        draw_formula(canvas, {x + (i > 0 ? kIndent : 0), y}, lines[i], style);
        y += size.descent + 4;
      }
    }
    // Labels end where the bars begin.
    float label = 0, number_room = 52;
    for (const InspectorRow& row : section.rows) {
      if (!row.share) continue;
      label = std::max(label, canvas.measure(row.label, {.font = Font::semibold, .size = 12}).x);
      number_room = std::max(number_room, canvas.measure(row.value, {.font = Font::mono, .size = 12}).x + 8);
    }
    label = std::min(label, width * 0.34f);
    for (size_t i = 0; i < section.rows.size(); ++i) {
      const InspectorRow& row = section.rows[i];
      const Rect line{x, y, width, 24};
      TextStyle words{.font = row.emphasized ? Font::semibold : Font::regular,
                      .size = 12,
                      .color = row.wrong                    ? t.wrong
                               : row.emphasized || row.link ? t.ink
                                                            : t.second_text};
      const TextStyle value{.font = Font::mono, .size = 12, .color = row.wrong ? t.wrong : t.ink};
      float end = right;
      if (row.link) {
        const std::string name =
            "inspector row " + std::to_string(s + 1) + "." + std::to_string(i + 1) + " " + row.label;
        const ui::Response response =
            ui.area({line.x - 6, line.y, line.width + 12, line.height}, name, "link");
        if (response.hovered)
          canvas.rectangle({line.x - 6, line.y, line.width + 12, line.height},
                           {.fill = t.hover, .radius = 4});
        if (response.clicked) ui.push(*row.link);
        ui::draw_icon(canvas, ui::Icon::chevron, {right - 3, line.center().y}, t.second_text);
        end -= 14;
      }
      const float number = canvas.measure(row.value, value).x;
      canvas.text({end, line.center().y}, row.value, styles::right(value));
      if (row.share) {
        words.x = AlignX::right;
        canvas.text({x + label, line.center().y}, elided(canvas, row.label, words, label), words);
        const float from = x + label + 14, to = right - (row.link ? 14 : 0) - number_room;
        draw_share_bar(canvas, {from, line.center().y - 5, std::max(8.0f, to - from), 9}, *row.share,
                       row.emphasized ? t.ink : t.second_text);
      } else {
        const float room = end - number - 10 - x;
        canvas.text({x, line.center().y}, elided(canvas, row.label, words, room), words);
        if (canvas.measure(row.label, words).x > room) ui.tooltip(line, row.label);
      }
      y += 24;
    }
    if (!section.text.empty()) {
      y += 4;
      block(section.text, styles::caption(t));
    }
  }
  if (!page.meaning.empty()) {
    divider();
    y += 4;
    block(page.meaning, {.size = 12, .color = t.ink});
  }
  if (!page.paper.empty()) {
    y += 8;
    if (ui.LinkButton(
            {x, y}, page.paper,
            {.tooltip = "Attention Is All You Need, arxiv.org/abs/1706.03762: click copies the address"}))
      ui.push(CopyText{"https://arxiv.org/abs/1706.03762"});
    y += 22;
  }
  return y - rect.y + 16;
}

}  // namespace glassformer
