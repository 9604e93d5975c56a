#include "app/reading/covered.h"

#include <algorithm>
#include <array>

#include "app/reading/attention_table.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

bool is_of_pairs(const std::string& name) {
  constexpr std::array kPairs{ValueKind::dot_products, ValueKind::scores, ValueKind::masked_scores,
                              ValueKind::weights};
  return std::ranges::any_of(kPairs, [&](ValueKind each) { return is_name_of(each, name); });
}

bool is_of_covered_row(const ViewInput& input, const CellRef& cell) {
  if (!input.covered || cell.index.size() != 4) return false;
  const auto name = read_name(cell.name);
  const auto kind = name ? attention_of(*name) : std::nullopt;
  return kind &&
         covered_row(input.covered, *kind, name->layer, cell.index[1], cell.index[0]) == cell.index[2];
}

}  // namespace

bool is_covered(const ViewInput& input, const CellRef& cell) {
  return is_of_pairs(cell.name) && is_of_covered_row(input, cell);
}

bool is_asked_for(const ViewInput& input, const CellRef& cell) {
  return (is_of_pairs(cell.name) || is_name_of(ValueKind::context, cell.name)) &&
         is_of_covered_row(input, cell);
}

bool is_asked_for(const ViewInput& input) {
  const Selection& shown = input.shown;
  if (const auto& cell = shown.cell) return is_asked_for(input, *cell);
  const auto covered = covered_row(input.covered, shown.kind, shown.layer, shown.head, shown.sentence);
  return covered && shown.query == covered;
}

std::string covered_name(const std::string& row) {
  return row + " (covered)";
}

}  // namespace glassformer
