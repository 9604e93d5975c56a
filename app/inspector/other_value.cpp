#include "app/inspector/other_value.h"

#include <cmath>

#include "app/inspector/cell_reader.h"

namespace glassformer {

void add_other_value(InspectorPage& page, const CellRef& cell, const NamedInput& first,
                     const NamedInput& second) {
  const double own = CellReader(first.input, cell).value(), other = CellReader(second.input, cell).value();
  if (std::isnan(own) || std::isnan(other)) return;
  InspectorSection section{.heading = "Compared"};
  section.rows = {{.label = first.name, .value = value_text(own), .emphasized = true},
                  {.label = second.name, .value = value_text(other)},
                  {.label = "the difference", .value = value_text(own - other)}};
  page.sections.insert(page.sections.begin(), std::move(section));
}

}  // namespace glassformer
