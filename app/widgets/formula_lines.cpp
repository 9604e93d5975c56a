#include "app/widgets/formula_lines.h"

#include <string_view>

namespace glassformer {

namespace {

// What may stand alone on a line: a word of a text, or any other part.
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
