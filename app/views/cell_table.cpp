#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/inspector/operands.h"
#include "app/views/cell_drawing.h"
#include "app/views/stage_text.h"
#include "app/views/walk_drawing.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "app/widgets/number_format.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kPad = 16, kRow = 20;
constexpr std::size_t kMostListed = 14;

// As exact as the width allows; in the end "−2e−4".
std::string short_number(double value, float width) {
  const auto fits = [&](const std::string& text) {
    const auto letters = std::count_if(text.begin(), text.end(),
                                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return static_cast<float>(letters) * 6.6f <= width;
  };
  for (const std::string& text : {operand_text(value), format_short(value)})
    if (fits(text)) return text;
  const double power = std::floor(std::log10(std::abs(value)));
  return format_fixed(value / std::pow(10.0, power), 0) + "e" + format_fixed(power, 0);
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

class WorkPanel {
 public:
  WorkPanel(Canvas& canvas, const Rect& area, const CellScene& scene, const CellProgress& progress)
      : canvas_(canvas), scene_(scene), progress_(progress), inside_(area.inset(kPad)), y_(inside_.y) {}

  void value();
  void table(float until);
  void lines();
  void sources(float until);
  float y() const { return y_; }
  Rect inside() const { return inside_; }
  float lines_height() const {
    return scene_.work.lines.empty() ? 0 : 8 + kRow * static_cast<float>(scene_.work.lines.size());
  }

 private:
  bool landed() const { return progress_.stage == CellStage::value; }

  Canvas& canvas_;
  const CellScene& scene_;
  const CellProgress& progress_;
  Rect inside_;
  float y_;
  const Theme& theme = canvas_.theme();
};

void WorkPanel::value() {
  const TextStyle name{.font = Font::semibold, .size = 14, .color = theme.ink};
  canvas_.text({inside_.x, y_ + 8}, elided(canvas_, scene_.name(), name, inside_.width), name);
  const std::string shown = landed() ? value_text(scene_.value) : "…";
  canvas_.text({inside_.x, y_ + 42}, landed() ? shown : "not yet",
               {.font = Font::mono,
                .size = landed() ? 28.0f : 14.0f,
                .color = landed() ? theme.ink : theme.faint_text});
  y_ += 66;
  if (landed()) {
    TextStyle full = index_style(canvas_);
    full.size = 11;
    canvas_.text({inside_.x, y_}, "recorded: " + format_full(scene_.value), full);
    y_ += 16;
    if (scene_.changed()) {
      canvas_.text({inside_.x, y_}, "a what-if changed it; by the formula " + value_text(scene_.work.result),
                   {.size = 12, .color = theme.reference});
      y_ += 16;
    }
  }
  if (scene_.step != nullptr) {
    const Formula formula = walk_formula(symbols_formula(*scene_.step));
    const FormulaStyle style{.size = 12, .color = theme.second_text};
    if (measure_formula(canvas_, formula, style).width <= inside_.width)
      draw_formula(canvas_, {inside_.x, y_ + 4}, formula, style);
    y_ += 20;
  } else {
    const TextStyle body{.size = 12, .color = theme.second_text};
    y_ += paragraph(canvas_, {inside_.x, y_}, inside_.width,
                    "A weight of the model: nothing computed it, training set it. Here the way back ends.",
                    body);
    TextStyle mono = index_style(canvas_);
    mono.size = 11;
    canvas_.text({inside_.x, y_ + 10}, elided(canvas_, scene_.cell.name, mono, inside_.width), mono);
    y_ += 24;
  }
  y_ += 6;
}

void WorkPanel::table(float until) {
  const CellWork& work = scene_.work;
  if (work.terms.empty()) return;
  const float label = std::min(84.0f, inside_.width * 0.22f);
  const float pitch = (inside_.width - label) / static_cast<float>(work.headings.size());
  const TextStyle heading{.size = 12, .color = theme.second_text, .x = AlignX::right};
  for (std::size_t i = 0; i < work.headings.size(); ++i) {
    const float x = inside_.x + label + pitch * static_cast<float>(i + 1);
    std::string text = work.headings[i];
    std::erase(text, '_');
    canvas_.text({x, y_ + 8}, elided(canvas_, text, heading, pitch - 4), heading);
  }
  canvas_.line({inside_.x, y_ + 19}, {inside_.right(), y_ + 19}, {.color = theme.border});
  y_ += 22;

  const auto room = static_cast<std::size_t>(std::max(1.0f, std::floor((until - y_) / kRow)));
  std::vector<int> listed = listed_terms(work, scene_.column);
  const bool all = listed.size() == work.terms.size() && listed.size() <= room;
  while (!all && listed.size() + 1 > room && listed.size() > 1)
    listed.erase(listed.end() - (listed.size() > 2 ? 2 : 1));
  int before = -1;
  for (const int at : listed) {
    if (before >= 0 && at != before + 1 && work.product) {
      canvas_.text({inside_.x, y_ + 10}, "… " + format_count(at - before - 1) + " more",
                   caption_style(canvas_));
      y_ += kRow;
    }
    before = at;
    const CellTerm& term = work.terms[static_cast<std::size_t>(at)];
    const bool current = progress_.stage == CellStage::sum && at + 1 == progress_.terms;
    const bool own = !work.product && at == scene_.column;
    if (current || own)
      canvas_.rectangle({inside_.x - 6, y_, inside_.width + 12, kRow}, {.fill = theme.hover, .radius = 4});
    TextStyle word{.font = own ? Font::semibold : Font::regular, .size = 12, .color = theme.second_text};
    canvas_.text({inside_.x, y_ + 10}, elided(canvas_, scene_.term_label(term.place), word, label - 6), word);
    for (std::size_t i = 0; i < term.numbers.size(); ++i) {
      const float right = inside_.x + label + pitch * static_cast<float>(i + 1);
      const bool sum = work.product && i == 3, product = work.product && i == 2;
      const bool hidden = progress_.stage == CellStage::outline
                              ? i >= (work.product ? 2u : 1u)
                              : sum && (progress_.stage == CellStage::terms ||
                                        (progress_.stage == CellStage::sum && at >= progress_.terms));
      const TextStyle number{.font = Font::mono,
                             .size = 11,
                             .color = current && (sum || product) ? theme.ink : theme.second_text,
                             .x = AlignX::right};
      canvas_.text({right, y_ + 10}, hidden ? "·" : short_number(term.numbers[i].value, pitch - 4), number);
      add_link(canvas_, {right - pitch + 2, y_, pitch - 2, kRow}, scene_, term.numbers[i],
               "term " + std::to_string(at) + " " + std::to_string(i));
    }
    y_ += kRow;
  }
  if (!work.product && listed.size() < work.terms.size()) {
    canvas_.text({inside_.x, y_ + 10},
                 "… " + format_count(static_cast<long long>(work.terms.size() - listed.size())) + " more",
                 caption_style(canvas_));
    y_ += kRow;
  }
}

void WorkPanel::lines() {
  if (scene_.work.lines.empty()) return;
  canvas_.line({inside_.x, y_ + 3}, {inside_.right(), y_ + 3}, {.color = theme.border});
  y_ += 8;
  for (std::size_t i = 0; i < scene_.work.lines.size(); ++i) {
    const CellLine& line = scene_.work.lines[i];
    const bool linked = scene_.source(line.number).has_value();
    draw_formula(canvas_, {inside_.x, y_ + 10}, walk_formula(line.label),
                 {.size = 12, .color = theme.second_text});
    canvas_.text({inside_.right() - 14, y_ + 10}, landed() || linked ? value_text(line.number.value) : "·",
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
  const auto add = [&](const CellNumber& number) {
    if (number.input < 0) return;
    if (std::ranges::none_of(first, [&](const CellNumber& each) { return each.input == number.input; }))
      first.push_back(number);
  };
  for (const CellTerm& term : scene_.work.terms) std::ranges::for_each(term.numbers, add);
  for (const CellLine& line : scene_.work.lines) add(line.number);
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

}  // namespace

std::vector<int> listed_terms(const CellWork& work, int column) {
  std::vector<int> listed(work.terms.size());
  std::iota(listed.begin(), listed.end(), 0);
  if (listed.size() <= kMostListed + 2) return listed;
  if (work.product) {
    listed.erase(listed.begin() + kMostListed - 3, listed.end() - 2);
    return listed;
  }
  // Of a long row the largest, and the one looked at.
  const auto size = [&](int at) {
    const std::vector<CellNumber>& numbers = work.terms[static_cast<std::size_t>(at)].numbers;
    return at == column ? HUGE_VAL : std::abs(numbers[std::min<std::size_t>(2, numbers.size() - 1)].value);
  };
  std::ranges::stable_sort(listed, [&](int a, int b) { return size(a) > size(b); });
  listed.resize(kMostListed - 2);
  return listed;
}

void draw_cell_work(Canvas& canvas, const Rect& area, const CellScene& scene, const CellProgress& progress) {
  canvas.rectangle(area, {.fill = canvas.theme().panel, .outline = canvas.theme().border, .radius = 8});
  WorkPanel panel(canvas, area, scene, progress);
  panel.value();
  const float bottom = panel.inside().bottom();
  // The table leaves room for the lines, and for the sources where there is plenty.
  const float sources = area.height > 440 ? 84.0f : 0;
  panel.table(bottom - panel.lines_height() - sources);
  panel.lines();
  panel.sources(bottom);
}

}  // namespace glassformer
