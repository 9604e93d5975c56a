// Writes down what one cell of a step's output depends on; the patterns say it in its words. Internal to
// engine/model/steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/steps/cell_work.h"
#include "engine/model/steps/step_sources.h"

namespace glassformer {

// Writes down blocks of the inputs of one step, by what they have to do with the cell (row, column).
class CellSources {
 public:
  CellSources(const Step& step, int row, int column, const StepNumbers& numbers)
      : step_(step), row_(row), column_(column), numbers_(numbers) {}

  CellSources& cell(int input, int row, int column) {
    if (has(input)) found.push_back({input, row, 1, column, 1});
    return *this;
  }
  CellSources& cell(int input) { return cell(input, row_, column_); }
  CellSources& columns_of_row(int input, int first, int count) {
    if (has(input)) found.push_back({input, row_, 1, first, count});
    return *this;
  }
  CellSources& row(int input, int row) {
    if (has(input)) found.push_back({input, row, 1, 0, columns(input)});
    return *this;
  }
  CellSources& row(int input) { return row(input, row_); }
  CellSources& column(int input, int column) {
    if (has(input)) found.push_back({input, 0, rows(input), column, 1});
    return *this;
  }
  CellSources& all(int input) {
    if (has(input)) found.push_back({input, 0, rows(input), 0, columns(input)});
    return *this;
  }
  // One number a row, and one number a column.
  CellSources& of_row(int input) { return cell(input, row_, 0); }
  CellSources& of_column(int input) { return cell(input, 0, column_); }
  CellSources& same_cell_everywhere() {
    for (int input = 0; has(input); ++input) cell(input);
    return *this;
  }
  // A row of the left factor and a column of the right one; transposed, its column and the other's row.
  CellSources& product(int left, int right, const StepPattern& of = {}) {
    of.left_transposed ? column(left, row_) : row(left);
    return of.right_transposed ? row(right, column_) : column(right, column_);
  }
  // Rows of `value` whose id is this row's.
  CellSources& by_word(int ids, int value) {
    if (!has(ids)) return *this;
    const std::vector<int>& list = this->ids(ids);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] == row_) cell(ids, static_cast<int>(i), 0).cell(value, static_cast<int>(i), column_);
    }
    return *this;
  }

  std::vector<SourceCells> found;

  // What it is about.
  int row() const { return row_; }
  int column() const { return column_; }
  bool has(int input) const { return input < static_cast<int>(step_.inputs.size()); }
  int rows(int at) const { return numbers_.sizes().of(input(at).rows); }
  int columns(int at) const { return numbers_.sizes().of(input(at).columns); }
  const std::vector<int>& ids(int at) const { return numbers_.ids(input(at).name); }
  const StepPattern& pattern() const { return step_.pattern; }
  std::optional<int> position(int row) const { return numbers_.position(step_, row); }
  const Config& config() const { return numbers_.sizes().config; }

 private:
  const Operand& input(int at) const { return step_.inputs[static_cast<std::size_t>(at)]; }

  const Step& step_;
  int row_, column_;
  const StepNumbers& numbers_;
};

// What the work on one cell is written with: its operands, its lines and its terms. Internal to
// engine/model/steps.

// The cell that is computed.
struct WorkedCell {
  int row = 0, column = 0;
  int also = -1;         // of the output, or one of what the step gives besides
  double smoothing = 0;  // the loss's
};

class CellWorker {
 public:
  CellWorker(const Step& step, const WorkedCell& cell, const StepNumbers& numbers);

  CellWork work;

  // What it is about.
  int row() const { return cell_.row; }
  int column() const { return cell_.column; }
  int also() const { return cell_.also; }
  double smoothing() const { return cell_.smoothing; }
  const StepPattern& pattern() const { return step_.pattern; }
  const Config& config() const { return numbers_.sizes().config; }
  float recorded() const;  // what the pass has there
  // Where the token of a row is; nothing: it has no position.
  std::optional<int> position(int row) const { return numbers_.position(step_, row); }

  // What it is made of.
  int inputs() const { return static_cast<int>(tables_.size()); }
  std::string symbol(int at) const { return step_.inputs[static_cast<std::size_t>(at)].symbol; }
  const OperandNumbers& table(int at) const { return tables_[static_cast<std::size_t>(at)]; }
  const std::vector<int>& ids(int at) const {
    return numbers_.ids(step_.inputs[static_cast<std::size_t>(at)].name);
  }
  CellNumber input(int at, int row, int column) const;
  CellNumber input(int at) const { return input(at, row(), column()); }

  // What is written down.
  double line(const std::string& label, const CellNumber& number);
  void term(int place, std::vector<CellNumber> numbers, bool along_rows = false, int of = 0) {
    work.terms.push_back({place, of, along_rows, std::move(numbers)});
  }
  void copy(int from, int row, int column) { work.result = line(symbol(from), input(from, row, column)); }
  // Adds its terms, the running sum beginning at `sum`; returns where the sum is then.
  double add_product(CellProduct product, double sum);
  void column_sum(int from);  // a bias hears from every row

 private:
  const Step& step_;
  WorkedCell cell_;
  const StepNumbers& numbers_;
  std::vector<OperandNumbers> tables_;
};

}  // namespace glassformer
