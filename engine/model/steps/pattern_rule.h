// What a pattern is: which cells a cell depends on, and how it is computed from them. The two are beside
// each other, a row of a table a pattern, and the tables by family: a new pattern is its name in
// step_pattern.h and one row. Internal to engine/model/steps.
#pragma once

#include <span>

#include "engine/model/steps/cell_worker.h"

namespace glassformer {

struct PatternRule {
  PatternKind kind;
  void (*sources)(CellSources& from);
  void (*work)(CellWorker& cell);
};

const PatternRule& pattern_rule(PatternKind kind);

// The families, each a file.
std::span<const PatternRule> cell_patterns();     // of no input, or of the same cell of each
std::span<const PatternRule> product_patterns();  // rows that meet columns
std::span<const PatternRule> row_patterns();      // a whole row, a whole column, or all
std::span<const PatternRule> place_patterns();    // cells at another place

}  // namespace glassformer
