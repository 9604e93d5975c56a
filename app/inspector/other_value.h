// The same number in the other of two Scenes that are compared.
#pragma once

#include <string>

#include "app/inspector/page.h"
#include "app/reading/view_input.h"

namespace glassformer {

struct NamedInput {
  const std::string& name;  // "step 300"
  const ViewInput& input;
};

// Puts both values and their difference, the second less the first, before the page's sections; nothing when
// one of them has no such number, or it does not mean the same there. Of a picture of differences the page
// says nothing else: how each side's value was computed, its own page tells.
void add_other_value(InspectorPage& page, const CellRef& cell, const NamedInput& first,
                     const NamedInput& second, bool difference_alone = false);

}  // namespace glassformer
