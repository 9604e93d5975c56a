#include "app/views/common/walk_rule.h"

#include <algorithm>
#include <cctype>

#include "app/views/common/stage_text.h"
#include "app/widgets/formula.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kPad = 5, kChip = 20, kCaptionGap = 24;
constexpr float kBelow = 3;  // more of a chip, for a subscript

enum class Family { query, key, value, other };

// By the letter that the symbol ends with: Q, Q′, dQ, W_Q, b_Q.
Family family_of(const Operand& operand) {
  const std::string_view symbol = without_prime(operand.symbol);
  const bool letter_alone = symbol.size() == 1 || (symbol.size() == 2 && symbol.front() == 'd');
  const bool projection = symbol.ends_with("W_Q") || symbol.ends_with("W_K") || symbol.ends_with("W_V") ||
                          symbol.ends_with("b_Q") || symbol.ends_with("b_K") || symbol.ends_with("b_V");
  if (!letter_alone && !projection) return Family::other;
  switch (symbol.back()) {
    case 'Q':
      return Family::query;
    case 'K':
      return Family::key;
    case 'V':
      return Family::value;
    default:
      return Family::other;
  }
}

// The symbols and the words between them, one after another.
float rule_width(const Canvas& canvas, const std::vector<FormulaPart>& parts, const FormulaStyle& style) {
  float width = 0;
  for (const FormulaPart& part : parts)
    width += measure_formula(canvas, walk_formula(part.text), style).width +
             (part.operand != nullptr ? 2 * kPad : 0);
  return width;
}

}  // namespace

WalkColors walk_colors(const Theme& theme, const Operand& operand) {
  switch (family_of(operand)) {
    case Family::query:
      return {theme.query, theme.query_tint};
    case Family::key:
      return {theme.key, theme.key_tint};
    case Family::value:
      return {theme.value, theme.value_tint};
    case Family::other:
      break;
  }
  return {theme.second_text, theme.sunken};
}

float draw_walk_symbol(Canvas& canvas, Point at, const Operand& operand, bool transposed, bool result) {
  const Theme& theme = canvas.theme();
  const WalkColors colors = walk_colors(theme, operand);
  const FormulaStyle style{.size = 14, .color = theme.ink};
  const Formula symbol = walk_formula(operand.symbol + (transposed ? "ᵀ" : ""));
  const float width = measure_formula(canvas, symbol, style).width + 2 * kPad;
  const bool plain = colors.frame == theme.second_text;
  const float below = operand.symbol.find('_') != std::string::npos ? kBelow : 0;
  canvas.rectangle({at.x, at.y - kChip / 2, width, kChip + below}, {.fill = colors.tint,
                                                                    .outline = result  ? theme.ink
                                                                               : plain ? theme.control
                                                                                       : colors.frame,
                                                                    .outline_width = result ? 2.0f : 1.0f,
                                                                    .radius = 4});
  draw_formula(canvas, {at.x + kPad, at.y}, symbol, style);
  return width;
}

void draw_walk_rule(Canvas& canvas, const Rect& box, const Step& step, std::string_view caption,
                    std::string_view note) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(box, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  FormulaStyle style{.size = 14, .color = theme.ink};
  const std::vector<FormulaPart> parts = formula_parts(step);
  float width = rule_width(canvas, parts, style), x = box.x + 12;
  const float y = box.center().y, room = box.width - 24;

  if (!caption.empty()) {
    const TextStyle words{.font = Font::semibold, .size = 12, .color = theme.second_text};
    const float used = canvas.measure(caption, words).x + kCaptionGap;
    if (used + width <= room) {
      canvas.text({x, y}, caption, words);
      x += used;
    }
  }
  // Too long for its chips: as plain symbols, smaller.
  if (width > room) {
    const Formula plain = walk_formula(symbols_formula(step));
    style.size = std::max(10.0f, 14 * std::min(1.0f, room / measure_formula(canvas, plain, style).width));
    draw_formula(canvas, {x, y}, plain, style);
    return;
  }
  for (const FormulaPart& part : parts) {
    if (part.operand != nullptr) {
      x += draw_walk_symbol(canvas, {x, y}, *part.operand, part.transposed, part.operand == &step.output);
    } else {
      x += draw_formula(canvas, {x, y}, walk_formula(part.text), style).width;
    }
  }
  TextStyle sizes = index_style(canvas);
  sizes.x = AlignX::right;
  const float left = box.right() - 12 - x - kCaptionGap;
  if (left > 60) canvas.text({box.right() - 12, y}, elided(canvas, note, sizes, left), sizes);
}

}  // namespace glassformer
