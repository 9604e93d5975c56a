// Formulas of the inspector's page, set with fractions, scripts, roots and parentheses that grow with what
// they hold.
#pragma once

#include <string>
#include <vector>

#include "app/canvas/canvas.h"

namespace glassformer {

// Nested parts: a run of text, a fraction, a superscript, a root, a big parenthesis.
struct Formula {
  enum class Kind { text, mono, fraction, superscript, subscript, root, parenthesis, row };
  Kind kind = Kind::text;
  std::string text = {};  // text and mono
  // fraction: two; superscript, subscript: base and script; root, parenthesis: one; row: any
  std::vector<Formula> parts = {};
};

struct FormulaSize {
  float width = 0;
  float ascent = 0, descent = 0;  // above and below the axis on which fraction bars and minus signs are
  float height() const { return ascent + descent; }
};

struct FormulaStyle {
  float size = 14;
  Color color = {};  // not visible: the theme's ink
};

FormulaSize measure_formula(const Canvas& canvas, const Formula& formula, const FormulaStyle& style = {});
// `at` is the left end of the axis: the middle of the capitals of plain text.
FormulaSize draw_formula(Canvas& canvas, Point at, const Formula& formula, const FormulaStyle& style = {});

// Short ways to write one.
Formula formula_text(std::string text);
Formula formula_mono(std::string text);
Formula formula_row(std::vector<Formula> parts);
Formula formula_fraction(Formula above, Formula below);
Formula formula_power(Formula base, Formula exponent);
Formula formula_index(Formula base, Formula index);
Formula formula_root(Formula inside);
Formula formula_parenthesis(Formula inside);
// On one line of text, for copying: "exp(score) / (sum of exp, row)".
std::string formula_as_text(const Formula& formula);

// A formula that is wider than its column, broken into lines: between the parts of a row and at the blanks of
// its texts, never inside a fraction.

// At least one line; a line is wider than `width` only when a single part is.
std::vector<Formula> formula_lines(const Canvas& canvas, const Formula& formula, float width,
                                   const FormulaStyle& style = {});

}  // namespace glassformer
