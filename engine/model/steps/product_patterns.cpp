// Patterns in which the rows of one input meet the columns of another.
#include "engine/model/steps/pattern_rule.h"

namespace glassformer {
namespace {

void products_sources(CellSources& from) {
  const bool with_stream = from.pattern().with_stream;
  if (with_stream) from.cell(0);
  for (int left = with_stream ? 1 : 0; from.has(left); left += 2) from.product(left, left + 1);
}

void product_work(CellWorker& cell) {
  if (cell.also() >= 0) return cell.column_sum(0);
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "product", "sum"};
  cell.work.result = cell.add_product({.left_transposed = cell.pattern().left_transposed,
                                       .right_transposed = cell.pattern().right_transposed},
                                      0);
  if (cell.inputs() > 2)
    cell.work.result += cell.line("+ " + cell.symbol(2), cell.input(2, 0, cell.column()));
}

void products_work(CellWorker& cell) {
  const int first = cell.pattern().with_stream ? 1 : 0;
  cell.work.headings = {"gradient", "weight", "product", "sum"};
  if (cell.inputs() == first + 2)
    cell.work.headings = {cell.symbol(first), cell.symbol(first + 1), "product", "sum"};
  for (int at = first; at < cell.inputs(); at += 2)
    cell.work.result = cell.add_product({.left = at, .right = at + 1}, cell.work.result);
  if (cell.pattern().with_stream) cell.work.result += cell.line("+ " + cell.symbol(0), cell.input(0));
}

// Lines for the places of the sentence where this row's word stands; returns their sum.
double add_by_word(CellWorker& cell, int ids, int value) {
  double sum = 0;
  for (int i = 0; i < cell.table(ids).rows; ++i) {
    const CellNumber id = cell.input(ids, i, 0);
    if (static_cast<int>(id.value) != cell.row()) continue;
    cell.line("id of place " + std::to_string(i), id);
    sum += cell.line("+ " + cell.symbol(value), cell.input(value, i, cell.column()));
  }
  return sum;
}

void product_and_by_word_work(CellWorker& cell) {
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "product", "sum"};
  cell.work.result = cell.add_product({.left_transposed = true}, 0);
  for (int at = 2; at < cell.inputs(); at += 2) cell.work.result += add_by_word(cell, at, at + 1);
}

constexpr PatternRule kProductPatterns[] = {
    {PatternKind::product, [](CellSources& from) { from.product(0, 1, from.pattern()).of_column(2); },
     product_work},
    {PatternKind::products, products_sources, products_work},
    {PatternKind::product_and_by_word,
     [](CellSources& from) { from.product(0, 1, from.pattern()).by_word(2, 3).by_word(4, 5); },
     product_and_by_word_work},
};

}  // namespace

std::span<const PatternRule> product_patterns() {
  return kProductPatterns;
}

}  // namespace glassformer
