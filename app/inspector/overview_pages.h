// What the inspector says while no single number is pinned.
#pragma once

#include "app/inspector/inspector.h"

namespace glassformer {

// About the open attention; with a query or a key pinned, about the strongest weight of that row or column.
// `shown` lies inside the model and the sentence.
InspectorPage attention_overview(const ViewInput& input, const Selection& shown);
// The strongest weight of one head, with its words; of a difference the largest.
std::optional<InspectorRow> strongest_row(const ViewInput& input, const Selection& shown);

}  // namespace glassformer
