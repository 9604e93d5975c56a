#include "app/inspector/selected_words.h"

#include <algorithm>

#include "app/inspector/operands.h"
#include "app/inspector/pages.h"

namespace glassformer {

namespace {

constexpr size_t kMostRows = 12;

std::vector<int> in_order(const std::optional<int>& first, std::vector<int> more) {
  if (first) more.push_back(*first);
  std::ranges::sort(more);
  return more;
}

}  // namespace

void add_selected_weights(InspectorPage& page, const ViewInput& input, const Selection& shown) {
  const std::vector<int> queries = in_order(shown.query, shown.more_queries);
  const std::vector<int> keys = in_order(shown.key, shown.more_keys);
  if (queries.size() * keys.size() < 2 || shown.head < 0) return;
  const std::string name = attention_value(shown.kind, shown.layer, ValueKind::weights);
  InspectorSection section;
  section.heading = "All selected";
  double sum = 0;
  for (const int query : queries) {
    for (const int key : keys) {
      const CellRef cell{name, {shown.sentence, shown.head, query, key}};
      const InspectedCell inspected(input, cell);
      if (!inspected.exists()) return;
      InspectorRow row = operand_link(inspected, weight_words(inspected, shown.kind, query, key), cell);
      // A click makes this pair the one explained; all stay selected.
      row.emphasized = shown.query == query && shown.key == key;
      Selection words = shown;
      words.query = query;
      words.key = key;
      row.link.reset();
      if (!row.emphasized) row.link = AddPin{words};
      sum += inspected.value();
      if (section.rows.size() < kMostRows) section.rows.push_back(std::move(row));
    }
  }
  if (queries.size() == 1) section.note = "together " + format_fixed(sum, 3);
  const size_t pairs = queries.size() * keys.size();
  if (pairs > section.rows.size())
    section.text = "and " + std::to_string(pairs - section.rows.size()) + " more";
  page.sections.insert(page.sections.begin(), std::move(section));
}

}  // namespace glassformer
