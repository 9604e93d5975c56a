// The same number in the other of two Scenes that are compared and have the same shape.
#pragma once

#include <string>

#include "app/inspector/page.h"
#include "app/views/view.h"

namespace glassformer {

struct NamedInput {
  const std::string& name;  // "step 300"
  const ViewInput& input;
};

// Puts both values and their difference first among the page's sections; nothing when the second has no such
// number.
void add_other_value(InspectorPage& page, const CellRef& cell, const NamedInput& first,
                     const NamedInput& second);

}  // namespace glassformer
