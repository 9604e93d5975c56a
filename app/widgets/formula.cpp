#include "app/widgets/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

namespace glassformer {

namespace {

using Kind = Formula::Kind;

constexpr float kFractionGap = 4, kBarOverhang = 5;  // of a fraction's bar
constexpr float kSmallest = 10;                      // of scripts

TextStyle text_style(const Formula& formula, const FormulaStyle& style) {
  return {.font = formula.kind == Kind::mono ? Font::mono : Font::regular,
          .size = style.size,
          .color = style.color};
}

FormulaStyle script_style(const FormulaStyle& style) {
  return {std::max(kSmallest, std::round(style.size * 0.75f)), style.color};
}

float half_line(float size) {
  return size * 0.62f;
}  // letters above and below the axis

// How far the middle of a script is from the axis of its base.
float script_shift(const FormulaSize& base, float size) {
  return std::max(5.0f, std::min(base.ascent, base.descent) - size * 0.1f);
}

float blank_width(const FormulaStyle& style) {
  return std::round(style.size * 0.3f);
}

float root_width(float height) {
  return 7 + height * 0.12f;
}
float parenthesis_width(float height) {
  return std::clamp(height * 0.14f, 4.0f, 8.0f);
}

// The first or last sign of a formula; a letter represents whatever is no plain text.
char edge(const Formula& formula, bool last) {
  if (formula.kind == Kind::row && !formula.parts.empty())
    return edge(last ? formula.parts.back() : formula.parts.front(), last);
  if (formula.kind == Kind::parenthesis) return last ? ')' : '(';
  if (formula.kind != Kind::text && formula.kind != Kind::mono) return 'x';
  if (formula.text.empty()) return ' ';
  return last ? formula.text.back() : formula.text.front();
}

// Neighbours in a row are a blank apart, unless one brings its own or a bracket holds the other.
bool blank_between(const Formula& left, const Formula& right) {
  constexpr char kRaised = '\xE1';  // the first byte of the T that transposes
  const char before = edge(left, true), after = edge(right, false);
  if (before == ' ' || before == '(' || after == ' ' || after == ')' || after == ',') return false;
  if (after == '(') return std::isalnum(static_cast<unsigned char>(before)) == 0;  // "sin(x)", "· (1 + x)"
  return after != kRaised;
}

Formula part(const Formula& formula, std::size_t index) {
  return index < formula.parts.size() ? formula.parts[index] : Formula{};
}

// A bent line from top to bottom, like a parenthesis: bulging to the left or right.
void draw_bow(Canvas& canvas, float x, float top, float bottom, float bulge, Color color) {
  std::array<Point, 13> points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float along = static_cast<float>(i) / static_cast<float>(points.size() - 1), away = 2 * along - 1;
    points[i] = {x + bulge * (1 - away * away), top + (bottom - top) * along};
  }
  canvas.polyline(points, {.color = color, .width = 1.5f});
}

}  // namespace

FormulaSize measure_formula(const Canvas& canvas, const Formula& formula, const FormulaStyle& style) {
  const float line = half_line(style.size);
  switch (formula.kind) {
    case Kind::text:
    case Kind::mono:
      return {canvas.measure(formula.text, text_style(formula, style)).x, line, line};
    case Kind::row: {
      FormulaSize all{0, line, line};
      for (std::size_t i = 0; i < formula.parts.size(); ++i) {
        const FormulaSize size = measure_formula(canvas, formula.parts[i], style);
        const bool apart = i > 0 && blank_between(formula.parts[i - 1], formula.parts[i]);
        all = {all.width + size.width + (apart ? blank_width(style) : 0), std::max(all.ascent, size.ascent),
               std::max(all.descent, size.descent)};
      }
      return all;
    }
    case Kind::fraction: {
      const FormulaSize above = measure_formula(canvas, part(formula, 0), style);
      const FormulaSize below = measure_formula(canvas, part(formula, 1), style);
      return {std::max(above.width, below.width) + 2 * kBarOverhang + 4, above.height() + kFractionGap,
              below.height() + kFractionGap};
    }
    case Kind::superscript:
    case Kind::subscript: {
      const FormulaSize base = measure_formula(canvas, part(formula, 0), style);
      const FormulaSize script = measure_formula(canvas, part(formula, 1), script_style(style));
      const float shift = script_shift(base, style.size), reach = shift + script.height() / 2;
      FormulaSize all{base.width + 1 + script.width, base.ascent, base.descent};
      (formula.kind == Kind::superscript ? all.ascent : all.descent) =
          std::max(formula.kind == Kind::superscript ? base.ascent : base.descent, reach);
      return all;
    }
    case Kind::root: {
      const FormulaSize inside = measure_formula(canvas, part(formula, 0), style);
      return {inside.width + root_width(inside.height()) + 3, inside.ascent + 3, inside.descent};
    }
    case Kind::parenthesis: {
      const FormulaSize inside = measure_formula(canvas, part(formula, 0), style);
      return {inside.width + 2 * (parenthesis_width(inside.height()) + 4), inside.ascent + 1,
              inside.descent + 1};
    }
  }
  return {};
}

FormulaSize draw_formula(Canvas& canvas, Point at, const Formula& formula, const FormulaStyle& given) {
  FormulaStyle style = given;
  if (!style.color.visible()) style.color = canvas.theme().ink;
  const FormulaSize size = measure_formula(canvas, formula, style);
  switch (formula.kind) {
    case Kind::text:
    case Kind::mono:
      canvas.text(at, formula.text, text_style(formula, style));
      break;
    case Kind::row: {
      float x = at.x;
      for (std::size_t i = 0; i < formula.parts.size(); ++i) {
        if (i > 0 && blank_between(formula.parts[i - 1], formula.parts[i])) x += blank_width(style);
        x += draw_formula(canvas, {x, at.y}, formula.parts[i], style).width;
      }
      break;
    }
    case Kind::fraction: {
      const FormulaSize above = measure_formula(canvas, part(formula, 0), style);
      const FormulaSize below = measure_formula(canvas, part(formula, 1), style);
      const float middle = at.x + size.width / 2;
      draw_formula(canvas, {middle - above.width / 2, at.y - kFractionGap - above.descent}, part(formula, 0),
                   style);
      draw_formula(canvas, {middle - below.width / 2, at.y + kFractionGap + below.ascent}, part(formula, 1),
                   style);
      canvas.line({at.x + 2, at.y}, {at.x + size.width - 2, at.y}, {.color = style.color, .width = 1});
      break;
    }
    case Kind::superscript:
    case Kind::subscript: {
      const FormulaSize base = draw_formula(canvas, at, part(formula, 0), style);
      const float shift = script_shift(base, style.size) * (formula.kind == Kind::superscript ? -1.0f : 1.0f);
      draw_formula(canvas, {at.x + base.width + 1, at.y + shift}, part(formula, 1), script_style(style));
      break;
    }
    case Kind::root: {
      const FormulaSize inside = measure_formula(canvas, part(formula, 0), style);
      const float sign = root_width(inside.height()), top = at.y - inside.ascent - 1,
                  foot = at.y + inside.descent - 2;
      canvas.polyline(
          std::array{Point{at.x + 1, at.y + 1}, Point{at.x + 3, at.y}, Point{at.x + sign * 0.55f, foot},
                     Point{at.x + sign, top}, Point{at.x + size.width - 1, top}},
          {.color = style.color, .width = 1});
      draw_formula(canvas, {at.x + sign + 2, at.y}, part(formula, 0), style);
      break;
    }
    case Kind::parenthesis: {
      const FormulaSize inside = measure_formula(canvas, part(formula, 0), style);
      const float bow = parenthesis_width(inside.height()), top = at.y - inside.ascent,
                  foot = at.y + inside.descent;
      draw_bow(canvas, at.x + bow, top, foot, -bow + 1, style.color);
      draw_formula(canvas, {at.x + bow + 4, at.y}, part(formula, 0), style);
      draw_bow(canvas, at.x + size.width - bow, top, foot, bow - 1, style.color);
      break;
    }
  }
  return size;
}

Formula formula_text(std::string text) {
  return {.kind = Kind::text, .text = std::move(text), .parts = {}};
}
Formula formula_mono(std::string text) {
  return {.kind = Kind::mono, .text = std::move(text), .parts = {}};
}
Formula formula_row(std::vector<Formula> parts) {
  return {.kind = Kind::row, .text = {}, .parts = std::move(parts)};
}

namespace {

Formula with(Kind kind, Formula first) {
  Formula formula{.kind = kind, .text = {}, .parts = {}};
  formula.parts.push_back(std::move(first));
  return formula;
}

Formula with(Kind kind, Formula first, Formula second) {
  Formula formula = with(kind, std::move(first));
  formula.parts.push_back(std::move(second));
  return formula;
}

}  // namespace

Formula formula_fraction(Formula above, Formula below) {
  return with(Kind::fraction, std::move(above), std::move(below));
}
Formula formula_power(Formula base, Formula exponent) {
  return with(Kind::superscript, std::move(base), std::move(exponent));
}
Formula formula_index(Formula base, Formula index) {
  return with(Kind::subscript, std::move(base), std::move(index));
}
Formula formula_root(Formula inside) {
  return with(Kind::root, std::move(inside));
}
Formula formula_parenthesis(Formula inside) {
  return with(Kind::parenthesis, std::move(inside));
}

std::string formula_as_text(const Formula& formula) {
  const auto inner = [&formula](std::size_t index) { return formula_as_text(part(formula, index)); };
  // A part of several pieces needs its bounds.
  const auto bounded = [](const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  switch (formula.kind) {
    case Kind::text:
    case Kind::mono:
      return formula.text;
    case Kind::fraction:
      return bounded(inner(0)) + " / " + bounded(inner(1));
    case Kind::superscript:
      return inner(0) + "^" + bounded(inner(1));
    case Kind::subscript:
      return inner(0) + "_" + bounded(inner(1));
    case Kind::root:
      return "√(" + inner(0) + ")";
    case Kind::parenthesis:
      return "(" + inner(0) + ")";
    case Kind::row:
      break;
  }
  std::string text;
  for (std::size_t i = 0; i < formula.parts.size(); ++i) {
    if (i > 0 && blank_between(formula.parts[i - 1], formula.parts[i])) text += ' ';
    text += formula_as_text(formula.parts[i]);
  }
  return text;
}

namespace {

// What may be alone on a line: a word of a text, or any other part.
std::vector<Formula> pieces_of(const Formula& formula) {
  std::vector<Formula> pieces;
  if (formula.kind == Formula::Kind::row) {
    for (const Formula& part : formula.parts)
      for (Formula& piece : pieces_of(part)) pieces.push_back(std::move(piece));
    return pieces;
  }
  if (formula.kind != Formula::Kind::text && formula.kind != Formula::Kind::mono) return {formula};
  for (std::size_t from = 0; from < formula.text.size();) {
    std::size_t end = std::min(formula.text.find(' ', from), formula.text.size());
    // "1.38 × 10⁻⁷" is one number: the raised digits are no ASCII.
    constexpr std::string_view kPower = " × 10";
    const std::size_t behind = end + kPower.size();
    if (formula.text.compare(end, kPower.size(), kPower) == 0 && behind < formula.text.size() &&
        static_cast<unsigned char>(formula.text[behind]) >= 0x80)
      end = std::min(formula.text.find(' ', behind), formula.text.size());
    if (end > from)
      pieces.push_back({.kind = formula.kind, .text = formula.text.substr(from, end - from), .parts = {}});
    from = end + 1;
  }
  return pieces;
}

}  // namespace

std::vector<Formula> formula_lines(const Canvas& canvas, const Formula& formula, float width,
                                   const FormulaStyle& style) {
  if (measure_formula(canvas, formula, style).width <= width) return {formula};
  std::vector<Formula> lines;
  for (Formula& piece : pieces_of(formula)) {
    // No line begins with a comma or a closing bracket.
    if (!lines.empty() && (piece.text.starts_with(',') || piece.text.starts_with(')'))) {
      lines.back().parts.push_back(std::move(piece));
      continue;
    }
    if (!lines.empty()) {
      Formula longer = lines.back();
      longer.parts.push_back(piece);
      if (measure_formula(canvas, longer, style).width <= width) {
        lines.back() = std::move(longer);
        continue;
      }
    }
    // A sign of equality begins the line of what it introduces.
    std::vector<Formula> next;
    if (!lines.empty() && lines.back().parts.size() > 1 && lines.back().parts.back().text == "=") {
      next.push_back(std::move(lines.back().parts.back()));
      lines.back().parts.pop_back();
    }
    next.push_back(std::move(piece));
    lines.push_back(formula_row(std::move(next)));
  }
  if (lines.empty()) lines.push_back(formula);
  return lines;
}

}  // namespace glassformer
