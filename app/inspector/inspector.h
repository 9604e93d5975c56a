// The inspector explains one number: what it is, how it was computed from which other numbers, and what it
// means.
//
// Every page has the same parts: the subject in words, the value, its trace name and index, the formula in
// symbols and again with the real numbers, the operands (each a link to the page that explains it), where the
// value goes, a sentence of meaning and the paper's section. The numbers are read from the Trace and from the
// weights that made it; following the links from any value ends at weights and token ids.
#pragma once

#include "app/inspector/page.h"
#include "app/reading/view_input.h"
#include "app/scene/selection.h"

namespace glassformer {

// A cell that the Trace does not hold gives a page that says so. A head of -1 in an attention's weights is
// the mean over its heads.
InspectorPage describe_cell(const ViewInput& input, const CellRef& cell);

// The cell a pin without one means: the weight of the selected query and key. Nothing when either is missing.
std::optional<CellRef> selected_cell(const Selection& selection);

}  // namespace glassformer
