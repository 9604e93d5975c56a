// What a page of a lesson asks for: until it is answered no words, tables and copies have it.
#pragma once

#include <string>

#include "app/reading/view_input.h"

namespace glassformer {

inline constexpr const char* kCovered = "Covered until the question is answered.";

// One of the numbers of its row: a match, a score or a weight.
bool is_covered(const ViewInput& input, const CellRef& cell);
// That, or the context that is computed from the row's weights.
bool is_asked_for(const ViewInput& input, const CellRef& cell);
// What is pinned or pointed at: a row, or one of these numbers.
bool is_asked_for(const ViewInput& input);

// The covered row of a table has no numbers, and its name says why: "voit (covered)".
std::string covered_name(const std::string& row);

}  // namespace glassformer
