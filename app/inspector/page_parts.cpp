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

}  // namespace glassformer
