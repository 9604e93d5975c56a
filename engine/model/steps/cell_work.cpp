#include "engine/model/steps/cell_work.h"

#include <limits>
#include <utility>

#include "engine/model/steps/cell_worker.h"
#include "engine/model/steps/pattern_rule.h"
#include "engine/model/steps/step_sources.h"

namespace glassformer {

CellWork cell_work(const Step& step, int also, int row, int column, const StepNumbers& numbers,
                   double smoothing) {
  CellWorker worker(step, {row, column, also, smoothing}, numbers);
  pattern_rule(step.pattern.kind).work(worker);
  return std::move(worker.work);
}

CellWorker::CellWorker(const Step& step, const WorkedCell& cell, const StepNumbers& numbers)
    : step_(step), cell_(cell), numbers_(numbers) {
  for (const Operand& each : step.inputs) tables_.push_back(numbers.of(each));
}

float CellWorker::recorded() const {
  const Operand& made = also() < 0 ? step_.output : step_.also[static_cast<std::size_t>(also())];
  return numbers_.of(made)(row(), column());
}

CellNumber CellWorker::input(int at, int row, int column) const {
  if (!table(at).recorded()) return {std::numeric_limits<double>::quiet_NaN()};
  return {static_cast<double>(table(at)(row, column)), at, row, column};
}

double CellWorker::line(const std::string& label, const CellNumber& number) {
  work.lines.push_back({label, number});
  return number.value;
}

double CellWorker::add_product(CellProduct product, double sum) {
  product.first = static_cast<int>(work.terms.size());
  product.count = product.left_transposed ? table(product.left).rows : table(product.left).columns;
  for (int i = 0; i < product.count; ++i) {
    const CellNumber left =
        product.left_transposed ? input(product.left, i, row()) : input(product.left, row(), i);
    const CellNumber right =
        product.right_transposed ? input(product.right, column(), i) : input(product.right, i, column());
    sum += left.value * right.value;
    term(i, {left, right, {left.value * right.value}, {sum}}, product.left_transposed, product.left);
  }
  work.products.push_back(product);
  return sum;
}

void CellWorker::column_sum(int from) {
  work.headings = {symbol(from), "sum"};
  for (int i = 0; i < table(from).rows; ++i) {
    const CellNumber each = input(from, i, column());
    work.result += each.value;
    term(i, {each, {work.result}}, true, from);
  }
}

}  // namespace glassformer
