// What the work on one cell is written with: its operands, its lines and its terms. Internal to
// engine/model/steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/steps/cell_work.h"

namespace glassformer {

// The cell that is worked out.
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
  // Where the token of a row stands; nothing: it has no position.
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
  // Adds its terms, the running sum going on from `sum`; returns where the sum stands then.
  double add_product(CellProduct product, double sum);
  void column_sum(int from);  // a bias hears from every row

 private:
  const Step& step_;
  WorkedCell cell_;
  const StepNumbers& numbers_;
  std::vector<OperandNumbers> tables_;
};

}  // namespace glassformer
