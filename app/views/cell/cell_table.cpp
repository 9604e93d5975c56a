#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/inspector/pages.h"
#include "app/reading/cell_names.h"
#include "app/views/cell/cell.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kTablePad = 16, kRow = kTermRow;
constexpr float kValue = 66, kRecorded = 16, kFormula = 30, kHeadings = 24;  // heights above the rows
constexpr float kSources = 84;  // kept free below them, where there is plenty
constexpr int kTail = 2;        // last terms of a sum, always in sight

// So many that the largest number of a column has four digits that count; three at the least.
int decimals_of(const std::vector<CellTerm>& terms, std::size_t column) {
  double largest = 0;
  for (const CellTerm& term : terms)
    if (column < term.numbers.size() && std::isfinite(term.numbers[column].value))
      largest = std::max(largest, std::abs(term.numbers[column].value));
  return largest > 0 && largest < 0.1 ? 3 - static_cast<int>(std::floor(std::log10(largest))) : 3;
}

// With these decimals where the width allows, so that a column can be added up by eye; else as exact as it
// does: "−2×10⁻⁴", in the end "≈0".
std::string short_number(double value, int decimals, float width) {
  const auto fits = [&](const std::string& text) {
    const auto letters = std::count_if(text.begin(), text.end(),
                                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return static_cast<float>(letters) * 6.6f <= width;
  };
  const std::string exact = decimals > 3 ? format_fixed(value, decimals) : operand_text(value);
  for (const std::string& text : {exact, operand_text(value)})
    if (fits(text)) return text;
  if (std::abs(value) >= 1e-3 && fits(format_short(value))) return format_short(value);
  const int power = static_cast<int>(std::floor(std::log10(std::abs(value))));
  std::string raised = format_power(power);
  std::erase(raised, ' ');
  const auto with = [&](int digits) { return format_fixed(value / std::pow(10.0, power), digits) + raised; };
  for (const int digits : {2, 1, 0})
    if (fits(with(digits))) return with(digits);
  for (int places = 4; places >= 0; --places)
    if (std::abs(value) >= std::pow(10.0, -places) && fits(format_fixed(value, places)))
      return format_fixed(value, places);
  return std::abs(value) < 1 ? "≈0" : format_fixed(value, 0);
}

// A number that leads back to where it was made.
void add_link(Canvas& canvas, const Rect& rect, const CellScene& scene, const CellNumber& number,
              const std::string& label) {
  const std::optional<CellRef> source = scene.source(number);
  if (!source) return;
  HitRegion hit;
  hit.rect = rect;
  hit.label = label;
  hit.click = SetPin{selecting(scene.reader.input().pinned, *source)};
  hit.tooltip = format_full(number.value) + "\nclick: how it was computed";
  canvas.hit(hit);
}

float chip_width(const Canvas& canvas, const Operand& operand, bool transposed = false) {
  return measure_formula(canvas, walk_formula(operand.symbol + (transposed ? "ᵀ" : ""))).width + 10;
}

// The formula with its symbols on the tints of their matrices; a long one plain, as small as it must be.
void draw_rule(Canvas& canvas, Point at, float room, const Step& step) {
  const std::vector<FormulaPart> parts = formula_parts(step);
  FormulaStyle style{.size = 14, .color = canvas.theme().ink};
  float width = 0;
  for (const FormulaPart& part : parts)
    width += part.operand != nullptr ? chip_width(canvas, *part.operand, part.transposed)
                                     : measure_formula(canvas, walk_formula(part.text), style).width;
  if (width > room) {
    const Formula plain = walk_formula(symbols_formula(step));
    style.size = std::max(10.0f, 14 * std::min(1.0f, room / measure_formula(canvas, plain, style).width));
    draw_formula(canvas, at, plain, style);
    return;
  }
  for (const FormulaPart& part : parts)
    at.x += part.operand != nullptr
                ? draw_walk_symbol(canvas, at, *part.operand, part.transposed, part.operand == &step.output)
                : draw_formula(canvas, at, walk_formula(part.text), style).width;
}

class WorkPanel {
 public:
  WorkPanel(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown)
      : canvas_(canvas),
        scene_(scene),
        shown_(shown),
        progress_(shown.progress),
        inside_(area.inset(kTablePad)),
        y_(inside_.y) {}

  void value();
  void table(const CellTable& table);
  void lines();
  void sources(float until);
  void rounding(float until);
  Rect inside() const { return inside_; }

 private:
  std::string text(double number) const {
    if (scene_.is_id()) return format_count(std::llround(number));
    return scene_.cell.gradient ? significant_text(number, 5) : value_text(number);
  }
  std::string text(const CellNumber& number) const {
    const bool id = number.whole ||
                    (number.input >= 0 && scene_.step != nullptr &&
                     scene_.step->inputs[static_cast<std::size_t>(number.input)].store == OperandStore::ids);
    return id ? format_count(std::llround(number.value)) : text(number.value);
  }
  bool landed() const { return progress_.stage == CellStage::value; }
  void headings();
  void row(const CellTable::Row& row);
  void more(int count);

  Canvas& canvas_;
  const CellScene& scene_;
  const CellShown& shown_;
  const CellProgress& progress_;
  Rect inside_;
  float y_;
  const Theme& theme = canvas_.theme();
};

void WorkPanel::value() {
  const float symbol =
      draw_formula(canvas_, {inside_.x, y_ + 8}, walk_formula(scene_.operand.symbol), {.size = 14}).width;
  const std::string plain = plain_symbol(scene_.operand.symbol);
  const TextStyle place{.size = 14, .color = theme.ink};
  canvas_.text({inside_.x + symbol, y_ + 8},
               elided(canvas_, scene_.name().substr(plain.size()), place, inside_.width - symbol), place);
  const std::string shown = landed() ? text(scene_.value) : "…";
  canvas_.text({inside_.x, y_ + 42}, landed() ? shown : "not yet",
               {.font = Font::mono,
                .size = landed() ? 28.0f : 14.0f,
                .color = landed() ? theme.ink : theme.faint_text});
  y_ += kValue;
  if (landed()) {
    TextStyle full = index_style(canvas_);
    full.size = 11;
    canvas_.text({inside_.x, y_}, "recorded: " + format_full(scene_.value), full);
  }
  y_ += kRecorded;
  if (scene_.changed()) {
    if (landed())
      canvas_.text({inside_.x, y_}, "a what-if changed it; by the formula " + text(scene_.work().result),
                   {.size = 12, .color = theme.reference});
    y_ += kRecorded;
  }
  if (scene_.step != nullptr) {
    draw_rule(canvas_, {inside_.x, y_ + 6}, inside_.width, *scene_.step);
    y_ += kFormula;
  } else {
    const TextStyle body{.size = 12, .color = theme.second_text};
    y_ += paragraph(
        canvas_, {inside_.x, y_}, inside_.width,
        "A weight of the model: nothing computed it, it is the same for every sentence. Here the way "
        "back ends.",
        body);
    TextStyle mono = index_style(canvas_);
    mono.size = 11;
    canvas_.text({inside_.x, y_ + 10}, elided(canvas_, scene_.cell.name, mono, inside_.width), mono);
    y_ += 30;
  }
}

float column_of_words(const Rect& inside) {
  return std::min(84.0f, inside.width * 0.22f);
}

void WorkPanel::headings() {
  const std::vector<std::string>& names = scene_.work().headings;
  const float label = column_of_words(inside_);
  const float pitch = (inside_.width - label) / static_cast<float>(names.size());
  TextStyle heading{.size = 12, .color = theme.second_text};
  const CellTerm& first = scene_.work().terms.front();
  const Operand& of = scene_.step->inputs[static_cast<std::size_t>(first.input)];
  canvas_.text({inside_.x, y_ + 8}, elided(canvas_, axis_word(of, !first.along_rows), heading, label),
               heading);
  heading.x = AlignX::right;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const float x = inside_.x + label + pitch * static_cast<float>(i + 1);
    const auto operand = std::ranges::find(scene_.step->inputs, names[i], &Operand::symbol);
    const bool matrix = operand != scene_.step->inputs.end();
    if (matrix && chip_width(canvas_, *operand) <= pitch - 4)
      draw_walk_symbol(canvas_, {x - chip_width(canvas_, *operand), y_ + 8}, *operand);
    else
      canvas_.text({x, y_ + 8}, elided(canvas_, plain_symbol(names[i]), heading, pitch - 4), heading);
  }
  canvas_.line({inside_.x, y_ + 21}, {inside_.right(), y_ + 21}, {.color = theme.border});
  y_ += kHeadings;
}

void WorkPanel::row(const CellTable::Row& row) {
  const CellWork& work = scene_.work();
  if (row.term < 0) {
    const CellProduct& product = work.products[static_cast<std::size_t>(row.product)];
    canvas_.text({inside_.x, y_ + 10}, scene_.product_name(product),
                 {.font = Font::semibold, .size = 12, .color = theme.second_text});
    y_ += kRow;
    return;
  }
  const CellTerm& term = work.terms[static_cast<std::size_t>(row.term)];
  const float label = column_of_words(inside_);
  const float pitch = (inside_.width - label) / static_cast<float>(work.headings.size());
  const bool current = progress_.stage == CellStage::sum && row.term + 1 == progress_.terms;
  const bool own = !work.product() && !term.along_rows && term.place == scene_.own_column();
  if (current || own)
    canvas_.rectangle({inside_.x - 6, y_, inside_.width + 12, kRow}, {.fill = theme.hover, .radius = 4});
  TextStyle word{.font = own ? Font::semibold : Font::regular, .size = 12, .color = theme.second_text};
  canvas_.text({inside_.x, y_ + 10}, elided(canvas_, scene_.term_label(term), word, label - 6), word);
  for (std::size_t i = 0; i < term.numbers.size(); ++i) {
    const float right = inside_.x + label + pitch * static_cast<float>(i + 1);
    const bool sum = work.product() && i == 3, product = work.product() && i == 2;
    const bool hidden = progress_.stage == CellStage::outline
                            ? i >= (work.product() ? 2u : 1u)
                            : sum && (progress_.stage == CellStage::terms ||
                                      (progress_.stage == CellStage::sum && row.term >= progress_.terms));
    const TextStyle number{.font = Font::mono,
                           .size = 11,
                           .color = current && (sum || product) ? theme.ink : theme.second_text,
                           .x = AlignX::right};
    canvas_.text({right, y_ + 10},
                 hidden ? "·" : short_number(term.numbers[i].value, decimals_of(work.terms, i), pitch - 4),
                 number);
    add_link(canvas_, {right - pitch + 2, y_, pitch - 2, kRow}, scene_, term.numbers[i],
             "term " + std::to_string(row.term) + " " + std::to_string(i));
  }
  y_ += kRow;
}

void WorkPanel::more(int count) {
  if (count > 0)
    canvas_.text({inside_.x, y_ + 10}, "… " + format_count(count) + " more", caption_style(canvas_));
  y_ += kRow;
}

void WorkPanel::table(const CellTable& table) {
  if (table.rows.empty()) return;
  headings();
  if (table.whole()) {
    for (const CellTable::Row& each : table.rows) row(each);
    return;
  }
  const int first = table.first(shown_), end = first + table.moving();
  for (int i = first; i < end; ++i) row(table.rows[static_cast<std::size_t>(i)]);
  more(table.length() - end);
  for (std::size_t i = table.rows.size() - static_cast<std::size_t>(table.tail); i < table.rows.size(); ++i)
    row(table.rows[i]);
}

void WorkPanel::lines() {
  if (scene_.work().lines.empty()) return;
  canvas_.line({inside_.x, y_ + 3}, {inside_.right(), y_ + 3}, {.color = theme.border});
  y_ += 8;
  for (std::size_t i = 0; i < scene_.work().lines.size(); ++i) {
    const CellLine& line = scene_.work().lines[i];
    const bool linked = scene_.source(line.number).has_value();
    draw_formula(canvas_, {inside_.x, y_ + 10}, walk_formula(line.label),
                 {.size = 12, .color = theme.second_text});
    canvas_.text({inside_.right() - 14, y_ + 10}, landed() || linked ? text(line.number) : "·",
                 {.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right});
    if (linked) draw_mark(canvas_, {inside_.right() - 4, y_ + 10}, Mark::chevron_right, theme.second_text, 8);
    add_link(canvas_, {inside_.x, y_, inside_.width, kRow}, scene_, line.number, "line " + std::to_string(i));
    y_ += kRow;
  }
}

// Each input once: which step made it, or that it is a weight.
void WorkPanel::sources(float until) {
  if (scene_.step == nullptr) return;
  std::vector<CellNumber> first;
  for (const CellReads& reads : scene_.sheet().reads)
    if (reads.any) first.push_back(reads.first);
  if (first.empty() || y_ + 30 + kRow > until) return;
  y_ += 8;
  canvas_.text({inside_.x, y_ + 10}, "Where the operands come from",
               {.font = Font::semibold, .size = 12, .color = theme.ink});
  y_ += 24;
  for (const CellNumber& number : first) {
    if (y_ + kRow > until) return;
    const Operand& operand = scene_.step->inputs[static_cast<std::size_t>(number.input)];
    const std::optional<CellRef> source = scene_.source(number);
    const Maker maker = source ? scene_.reader.maker(*source) : Maker{};
    const std::string made = !source                 ? "a rule, not a number that is computed"
                             : maker.step == nullptr ? "a weight of the model"
                                                     : std::string(maker.step->name);
    const float width = draw_formula(canvas_, {inside_.x, y_ + 10}, walk_formula(operand.symbol),
                                     {.size = 12, .color = theme.ink})
                            .width;
    TextStyle style = caption_style(canvas_);
    const float x = inside_.x + std::max(44.0f, width + 8);
    canvas_.text({x, y_ + 10}, elided(canvas_, made, style, inside_.right() - 14 - x), style);
    if (source) draw_mark(canvas_, {inside_.right() - 4, y_ + 10}, Mark::chevron_right, theme.second_text, 8);
    add_link(canvas_, {inside_.x, y_, inside_.width, kRow}, scene_, number,
             "operand " + std::to_string(number.input));
    y_ += kRow;
  }
}

void WorkPanel::rounding(float until) {
  if (scene_.step == nullptr || scene_.is_id() || y_ + kRow > until) return;
  const TextStyle style = caption_style(canvas_);
  canvas_.text({inside_.x, until - 6},
               elided(canvas_, "Printed rounded, computed with all digits.", style, inside_.width), style);
}

}  // namespace

int CellTable::first(const CellShown& shown) const {
  int first = shown.first_row;
  if (shown.progress.stage == CellStage::sum) {
    const auto at =
        std::ranges::find_if(rows, [&](const Row& row) { return row.term + 1 == shown.progress.terms; });
    first = static_cast<int>(at - rows.begin()) + 1 - moving();
  }
  return std::clamp(first, 0, std::max(0, length() - moving()));
}

CellTable cell_table(const Rect& area, const CellScene& scene) {
  CellTable table;
  const CellWork& work = scene.work();
  if (work.terms.empty()) return table;
  const auto named = [&](int term) {
    if (work.products.size() < 2) return;
    for (std::size_t i = 0; i < work.products.size(); ++i)
      if (work.products[i].first == term) table.rows.push_back({.product = static_cast<int>(i)});
  };
  for (const int term : scene.sheet().order) {
    named(term);
    table.rows.push_back({.term = term});
  }
  const Rect inside = area.inset(kTablePad);
  const float lines = work.lines.empty() ? 0 : 8 + kRow * static_cast<float>(work.lines.size());
  const float sources = area.height > 440 ? kSources : 0;
  const float top = inside.y + kValue + kRecorded + (scene.changed() ? kRecorded : 0) + kFormula + kHeadings;
  table.room = std::max(1, static_cast<int>(std::floor((inside.bottom() - lines - sources - top) / kRow)));
  table.tail = work.running_sum() && table.room > kTail + 3 ? kTail : 0;
  const int rows = std::min(table.room, static_cast<int>(table.rows.size()));
  table.place = {inside.x, top, inside.width, kRow * static_cast<float>(rows)};
  return table;
}

void draw_cell_work(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown) {
  canvas.rectangle(area, {.fill = canvas.theme().panel, .outline = canvas.theme().border, .radius = 8});
  WorkPanel panel(canvas, area, scene, shown);
  panel.value();
  panel.table(cell_table(area, scene));
  panel.lines();
  panel.sources(panel.inside().bottom());
  panel.rounding(panel.inside().bottom());
}

}  // namespace glassformer
