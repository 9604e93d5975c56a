#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/format/value_text.h"
#include "app/inspector/pages.h"

namespace glassformer {

void add_rows(InspectorPage& page, std::string heading, std::vector<InspectorRow> rows) {
  InspectorSection section;
  section.heading = std::move(heading);
  section.rows = std::move(rows);
  page.sections.push_back(std::move(section));
}

InspectorPage cell_page(const InspectedCell& inspected, std::string caption, std::string subject) {
  InspectorPage page;
  page.caption = std::move(caption);
  page.subject = std::move(subject);
  page.value = value_text(inspected.value());
  page.full_value = format_full(inspected.value());
  page.name = inspected.cell().name;
  page.index = format_index(inspected.index()) + " of " + format_shape(inspected.shape());
  if (inspected.sentence() > 0 && !inspected.parameter())
    page.index += ", sentence " + std::to_string(inspected.sentence());
  return page;
}

InspectorRow operand_link(const InspectedCell& inspected, std::string label, const CellRef& cell) {
  return operand_link(inspected, std::move(label), cell, value_text(inspected.reader().value(cell)));
}

InspectorRow operand_link(const InspectedCell& inspected, std::string label, const CellRef& cell,
                          std::string value) {
  InspectorRow row;
  row.label = std::move(label);
  row.value = std::move(value);
  row.link = SetPin{selecting(inspected.input().pinned, cell)};
  return row;
}

void note_change(InspectorPage& page, double by_formula, double actual) {
  const double tolerance = 2e-3 * std::max(1.0, std::abs(actual));
  if (!std::isfinite(by_formula) || !std::isfinite(actual) || std::abs(by_formula - actual) <= tolerance)
    return;
  InspectorSection section;
  section.heading = "Changed by a what-if";
  section.rows.resize(2);
  section.rows[0].label = "by the formula";
  section.rows[0].value = value_text(by_formula);
  section.rows[1].label = "with the change";
  section.rows[1].value = value_text(actual);
  section.rows[1].emphasized = true;
  page.sections.push_back(std::move(section));
}

}  // namespace glassformer
