// The work on one number, line by line: what is under the step's formula in symbols.
#pragma once

#include <string>
#include <vector>

#include "app/widgets/formula.h"
#include "engine/model/steps/cell_work.h"

namespace glassformer {

// "= 0.123 × 1.115", "+ 1.2345 from 28 more pairs", "+ 0.0400 (b₁)", "= 2.4013". `column` is the cell's in
// the step's output, `value` what the pass has there. Few steps have their own lines: a softmax is a
// fraction.
std::vector<Formula> work_formulas(const Step& step, const CellWork& work, int column, double value);

// Four decimals; of a gradient, which may be small, five digits.
std::string work_text(const Step& step, double value);

// The term of this column, for a row that is worked on as a whole; null when there is none.
const CellTerm* term_at(const CellWork& work, int column);
// Of a matrix product the term that matters most; null for an empty one.
const CellTerm* largest_term(const CellWork& work, const CellProduct& product);

}  // namespace glassformer
