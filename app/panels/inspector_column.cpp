#include "app/panels/inspector_panel.h"

#include <algorithm>

#include "app/panels/styles.h"
#include "app/reading/cell_names.h"
#include "app/widgets/formula.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/token_strip.h"

namespace glassformer {
namespace {

constexpr float kBetweenLinks = 20, kLinkHeight = 22;
constexpr float kIndent = 16;  // of a formula's lines but the first
constexpr float kInspectorRow = 24;

}  // namespace

InspectorColumn::InspectorColumn(ui::Ui& ui, const Rect& rect)
    : ui_(ui),
      canvas_(ui.canvas()),
      theme_(ui.theme()),
      x_(rect.x),
      top_(rect.y),
      width_(rect.width),
      right_(rect.right()),
      y_(rect.y + 24),
      link_end_(rect.x) {}

float InspectorColumn::height() const {
  return y_ - top_ + 16;
}

void InspectorColumn::subject(const InspectorPage& page) {
  if (!page.caption.empty()) {
    const TextStyle style = styles::caption(theme_);
    canvas_.text({x_, y_}, elided(canvas_, page.caption, style, width_), style);
    y_ += 14;
  }
  if (!page.subject.empty()) {
    const RichTextStyle style{.plain = styles::body_second(theme_), .bold_size = 18};
    y_ += draw_rich_text(canvas_, {x_, y_}, width_, page.subject, style) + 4;
    ui_.note({x_, y_ - 28, width_, 28}, "inspector subject", page.subject);
  }
}

bool InspectorColumn::value(const InspectorPage& page, bool every_digit) {
  if (page.value.empty()) return false;
  const Rect line{x_, y_, width_, 36};
  float at = x_;
  if (page.swatch) {
    canvas_.rectangle({x_, y_ + 4, 28, 28}, {.fill = *page.swatch, .outline = theme_.border, .radius = 4});
    at += 40;
  }
  every_digit = every_digit && !page.full_value.empty();
  const std::string& value = every_digit ? page.full_value : page.value;
  float size = every_digit ? 18 : 28;
  while (size > 12 && canvas_.measure(value, styles::number(theme_, size)).x > right_ - at) size -= 2;
  const TextStyle style = styles::number(theme_, size);
  const bool clicked = ui_.area(line, "value").clicked;
  ui_.tooltip(line, "Click: every digit, and a copy of it");
  canvas_.text({at, y_ + 18}, elided(canvas_, value, style, right_ - at), style);
  ui_.note(line, "inspector value", value);
  y_ += 44;
  return clicked;
}

void InspectorColumn::names(const InspectorPage& page) {
  if (!page.name.empty()) {
    TextStyle style = styles::faint_number(theme_);
    if (canvas_.measure(page.name, style).x > width_) style.size = 11;
    canvas_.text({x_, y_ + 6}, elided(canvas_, page.name, style, width_), style);
    const std::string counted = counted_layer(page.name);
    ui_.tooltip({x_, y_ - 3, width_, 18}, counted.empty() ? page.name : page.name + "\n" + counted);
    ui_.note({x_, y_ - 3, width_, 18}, "inspector name", page.name);
    y_ += 20;
  }
  if (!page.index.empty()) {
    const TextStyle style = styles::faint_number(theme_);
    canvas_.text({x_, y_ + 6}, elided(canvas_, page.index, style, width_), style);
    ui_.note({x_, y_ - 3, width_, 18}, "inspector index", page.index);
    y_ += 18;
  }
}

bool InspectorColumn::link(const std::string& label, const char* tooltip) {
  const float width = ui_.text_width(label, 12);
  const bool first = link_end_ == x_, beside = !first && link_end_ + width <= right_;
  if (!beside) y_ += first ? 10 : 2;
  const Point at = beside ? Point{link_end_, y_ - kLinkHeight} : Point{x_, y_};
  if (!beside) y_ += kLinkHeight;
  link_end_ = at.x + width + kBetweenLinks;
  return LinkButton(ui_, at, label, {.tooltip = tooltip});
}

void InspectorColumn::choices(const InspectorPage& page) {
  for (const InspectorSwitch& choice : page.switches) {
    bool on = choice.on;
    y_ += 10;
    if (Switch(ui_, {x_, y_}, choice.label, on)) ui_.push(choice.command);
    y_ += 22;
  }
}

void InspectorColumn::section(const InspectorSection& section, int number) {
  divider();
  if (!section.heading.empty()) {
    y_ += 8;
    canvas_.text({x_, y_}, section.heading, styles::section(theme_));
    if (!section.note.empty())
      canvas_.text({right_, y_}, section.note, styles::right(styles::faint_number(theme_)));
    y_ += 14;
  }
  for (const Formula& shown : section.formulas) formula(shown);
  const RowRoom room = room_for(section.rows);
  for (size_t i = 0; i < section.rows.size(); ++i)
    row(section.rows[i], room,
        "inspector row " + std::to_string(number) + "." + std::to_string(i + 1) + " " +
            section.rows[i].label);
  if (!section.text.empty()) {
    y_ += 4;
    y_ += paragraph(canvas_, {x_, y_}, width_, section.text, styles::caption(theme_));
  }
}

void InspectorColumn::meaning(const InspectorPage& page) {
  if (!page.meaning.empty()) {
    divider();
    y_ += 4;
    const float height =
        paragraph(canvas_, {x_, y_}, width_, page.meaning, {.size = 12, .color = theme_.ink});
    ui_.note({x_, y_, width_, height}, "inspector meaning", page.meaning);
    y_ += height;
  }
  if (!page.paper.empty()) {
    y_ += 8;
    if (LinkButton(
            ui_, {x_, y_}, page.paper,
            {.tooltip = "Attention Is All You Need, arxiv.org/abs/1706.03762: click copies the address"}))
      ui_.push(CopyText{"https://arxiv.org/abs/1706.03762"});
    y_ += kLinkHeight;
  }
}

void InspectorColumn::divider() {
  y_ += 14;
  canvas_.line({x_, y_ + 0.5f}, {right_, y_ + 0.5f}, {.color = theme_.border});
  y_ += 10;
}

// Too long for the column: on several lines.
void InspectorColumn::formula(const Formula& formula) {
  const float room = width_ - kIndent;
  const std::vector<Formula> lines = formula_lines(canvas_, formula, room);
  for (size_t i = 0; i < lines.size(); ++i) {
    FormulaStyle style;
    const float natural = measure_formula(canvas_, lines[i], style).width;
    if (natural > room) style.size = std::max(10.0f, 14 * room / natural);
    const FormulaSize size = measure_formula(canvas_, lines[i], style);
    y_ += size.ascent + 4;
    draw_formula(canvas_, {x_ + (i > 0 ? kIndent : 0), y_}, lines[i], style);
    y_ += size.descent + 4;
  }
}

InspectorColumn::RowRoom InspectorColumn::room_for(const std::vector<InspectorRow>& rows) const {
  RowRoom room;
  for (const InspectorRow& row : rows) {
    if (!row.share) continue;
    room.label = std::max(room.label, canvas_.measure(row.label, {.font = Font::semibold, .size = 12}).x);
    room.number = std::max(room.number, canvas_.measure(row.value, {.font = Font::mono, .size = 12}).x + 8);
  }
  room.label = std::min(room.label, width_ * 0.34f);
  return room;
}

void InspectorColumn::row(const InspectorRow& row, const RowRoom& room, const std::string& name) {
  const Theme& t = theme_;
  const Rect line{x_, y_, width_, kInspectorRow};
  const float y = line.center().y;
  y_ += kInspectorRow;

  // The way to where it comes from.
  float end = right_;
  if (row.link) {
    const Rect target{line.x - 6, line.y, line.width + 12, line.height};
    const ui::Response response = ui_.area(target, name, "link");
    if (response.hovered) canvas_.rectangle(target, {.fill = t.hover, .radius = 4});
    if (response.clicked) ui_.push(*row.link);
    ui::draw_icon(canvas_, ui::Icon::chevron, {right_ - 3, y}, t.second_text);
    end -= 14;
  }

  const TextStyle value{.font = Font::mono, .size = 12, .color = row.wrong ? t.wrong : t.ink};
  canvas_.text({end, y}, row.value, styles::right(value));
  TextStyle words{.font = row.emphasized ? Font::semibold : Font::regular,
                  .size = 12,
                  .color = row.wrong                    ? t.wrong
                           : row.emphasized || row.link ? t.ink
                                                        : t.second_text};
  if (row.share) {
    words.x = AlignX::right;
    canvas_.text({x_ + room.label, y}, elided(canvas_, row.label, words, room.label), words);
    const float from = x_ + room.label + 14, to = end - room.number;
    draw_share_bar(canvas_, {from, y - 5, std::max(8.0f, to - from), 9}, *row.share,
                   row.emphasized ? t.ink : t.second_text);
  } else {
    const float label = end - canvas_.measure(row.value, value).x - 10 - x_;
    canvas_.text({x_, y}, elided(canvas_, row.label, words, label), words);
    if (canvas_.measure(row.label, words).x > label) ui_.tooltip(line, row.label);
  }
}

}  // namespace glassformer
