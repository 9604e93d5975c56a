// Parts of the inspector's pages that more than one of them has, and what pages tell besides arithmetic.
#pragma once

#include <string>
#include <vector>

#include "app/inspector/inspected_cell.h"
#include "app/inspector/page.h"
#include "app/scene/selection.h"
#include "engine/model/names.h"

namespace glassformer {

// The page's head: caption, subject, value, name and index.
InspectorPage cell_page(const InspectedCell& inspected, std::string caption, std::string subject);
// An operand: label, its value and the way to its page.
InspectorRow operand_link(const InspectedCell& inspected, std::string label, const CellRef& cell);
InspectorRow operand_link(const InspectedCell& inspected, std::string label, const CellRef& cell,
                          std::string value);
// Says so when the Trace's number is not what the formula gives, which only a what-if does.
void note_change(InspectorPage& page, double by_formula, double actual);
// Rows under a heading.
void add_rows(InspectorPage& page, std::string heading, std::vector<InspectorRow> rows);

InspectorPage parameter_page(const InspectedCell& inspected);
// A weight in the mean over heads, which no step makes; the cell is that of the first head.
InspectorPage mean_weight_page(const InspectedCell& inspected, const AttentionName& attention);
// All that a query gives to its keys, each weight a link.
InspectorSection whole_row(const InspectedCell& inspected, const AttentionName& attention);
// What belongs to a prediction or its loss besides how it was computed.
void add_beside_prediction(InspectorPage& page, const InspectedCell& inspected, ValueKind value);

}  // namespace glassformer
