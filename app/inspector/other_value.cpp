#include "app/inspector/other_value.h"

#include <cmath>

#include "app/inspector/inspected_cell.h"

namespace glassformer {

void add_other_value(InspectorPage& page, const CellRef& cell, const NamedInput& first,
                     const NamedInput& second, bool difference_alone) {
  const InspectedCell here(first.input, cell), there(second.input, cell);
  const double own = here.value(), other = there.value();
  if (std::isnan(own) || std::isnan(other)) return;
  if (!here.parameter() && !same_shape(first.input.result, second.input.result)) return;
  InspectorSection section{.heading = "Compared"};
  section.rows = {{.label = first.name, .value = value_text(own), .emphasized = !difference_alone},
                  {.label = second.name, .value = value_text(other)},
                  {.label = "the second less the first",
                   .value = value_text(other - own),
                   .emphasized = difference_alone}};
  if (difference_alone) {
    page.value = value_text(other - own);
    page.full_value = format_full(other - own);
    page.swatch.reset();
    page.action.reset();
    page.switches.clear();
    page.sections.clear();
  }
  page.sections.insert(page.sections.begin(), std::move(section));
}

}  // namespace glassformer
