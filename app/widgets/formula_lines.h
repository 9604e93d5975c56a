// A formula that is wider than its column, broken into lines: between the parts of a row and at the blanks of
// its texts, never inside a fraction.
#pragma once

#include <vector>

#include "app/widgets/formula.h"

namespace glassformer {

// At least one line; a line is wider than `width` only when a single part is.
std::vector<Formula> formula_lines(const Canvas& canvas, const Formula& formula, float width,
                                   const FormulaStyle& style = {});

}  // namespace glassformer
