// What the inspector adds when several words are selected.
#pragma once

#include "app/inspector/page.h"
#include "app/reading/view_input.h"

namespace glassformer {

// The weights of all pairs of selected queries and keys, each a link, and what a row gives its keys together.
// Adds nothing while a single pair is selected.
void add_selected_weights(InspectorPage& page, const ViewInput& input, const Selection& shown);

}  // namespace glassformer
