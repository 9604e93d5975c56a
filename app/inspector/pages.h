// Parts of the inspector's pages that more than one of them has, and what pages say besides arithmetic.
#pragma once

#include <string>
#include <vector>

#include "app/format/number_format.h"
#include "app/inspector/inspected_cell.h"
#include "app/inspector/page.h"
#include "app/reading/view_input.h"
#include "app/scene/selection.h"
#include "app/widgets/formula.h"
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

// The lines of a sum of products with real numbers.

struct Product {
  double left = 0, right = 0;
};

// "= 0.123 × 1.115", "+ −2.167 × −0.151", ..., "+ 1.2345 from 28 more pairs". At most `shown` pairs; `begun`:
// they are added to what is above.
std::vector<Formula> product_lines(const std::vector<Product>& terms, int shown = 4, bool begun = false);

double sum_of(const std::vector<Product>& terms);

// The same number in the other of two Scenes that are compared.

struct NamedInput {
  const std::string& name;  // "step 300"
  const ViewInput& input;
};

// Puts both values and their difference, the second less the first, before the page's sections; nothing when
// one of them has no such number, or it does not mean the same there. Of a picture of differences the page
// says nothing else: how each side's value was computed, its own page says.
void add_other_value(InspectorPage& page, const CellRef& cell, const NamedInput& first,
                     const NamedInput& second, bool difference_alone = false);

// What the inspector adds when several words are selected.

// The weights of all pairs of selected queries and keys, each a link, and what a row gives its keys together.
// Adds nothing while a single pair is selected.
void add_selected_weights(InspectorPage& page, const ViewInput& input, const Selection& shown);

}  // namespace glassformer
