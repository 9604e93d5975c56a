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

InspectorPage cell_page(const CellReader& reader, std::string caption, std::string subject) {
  InspectorPage page;
  page.caption = std::move(caption);
  page.subject = std::move(subject);
  page.value = value_text(reader.value());
  page.full_value = format_full(reader.value());
  page.name = reader.cell().name;
  page.index = format_index(reader.index_without_batch()) + " of " + format_shape(reader.real_shape());
  if (reader.sentence() > 0 && !reader.parameter())
    page.index += ", sentence " + std::to_string(reader.sentence());
  return page;
}

InspectorRow operand_link(const CellReader& reader, std::string label, const CellRef& cell) {
  return operand_link(reader, std::move(label), cell, value_text(reader.value_of(cell)));
}

InspectorRow operand_link(const CellReader& reader, std::string label, const CellRef& cell,
                          std::string value) {
  InspectorRow row;
  row.label = std::move(label);
  row.value = std::move(value);
  row.link = SetPin{selecting(reader.input().pinned, cell)};
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
