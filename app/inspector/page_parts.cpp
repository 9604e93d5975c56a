#include <algorithm>
#include <cmath>

#include "app/inspector/pages.h"

namespace glassformer {

std::string head_words(int layer, int head) {
  const std::string place = "layer " + std::to_string(layer + 1);
  return place + (head < 0 ? ", mean over heads" : ", head " + std::to_string(head + 1));
}

std::string weight_subject(const CellReader& reader, AttentionKind kind, int query, int key) {
  const std::string written = "**" + reader.written_word(query) + "**";
  switch (kind) {
    case AttentionKind::encoder:
      return "**" + reader.source_word(query) + "** reads **" + reader.source_word(key) + "**";
    case AttentionKind::decoder:
      return "to write " + written + " it looks back at **" + reader.target_word(key) + "**";
    case AttentionKind::cross:
      break;
  }
  return "to write " + written + " it reads **" + reader.source_word(key) + "**";
}

std::string weight_words(const CellReader& reader, AttentionKind kind, int query, int key) {
  const bool encoder = kind == AttentionKind::encoder;
  const std::string reading = encoder ? reader.source_word(query) : reader.written_word(query);
  return reading + " reads " + reader.stack_word(kind != AttentionKind::decoder, key);
}

std::vector<Product> paired(const std::vector<double>& left, const std::vector<double>& right) {
  std::vector<Product> terms;
  const size_t count = std::min(left.size(), right.size());
  for (size_t i = 0; i < count; ++i) terms.push_back({left[i], right[i]});
  return terms;
}

int largest_term(const std::vector<Product>& terms) {
  const auto smaller = [](const Product& a, const Product& b) {
    return std::abs(a.left * a.right) < std::abs(b.left * b.right);
  };
  if (terms.empty()) return 0;
  return static_cast<int>(std::max_element(terms.begin(), terms.end(), smaller) - terms.begin());
}

void add_product_sum(InspectorPage& page, const CellReader& reader, const ProductSum& sum) {
  InspectorSection section;
  section.heading = "How it was computed";
  section.note = sum.terms.size() > 1 ? format_count(static_cast<long>(sum.terms.size())) + " pairs" : "";
  section.formulas.push_back(sum.symbols);
  for (Formula& each : product_lines(sum.terms, sum.bias)) section.formulas.push_back(std::move(each));
  section.formulas.push_back(formula_mono("= " + value_text(reader.value())));
  page.sections.push_back(std::move(section));
  note_change(page, sum_of(sum.terms, sum.bias.value_or(0)), reader.value());
}

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
