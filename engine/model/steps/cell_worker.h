// Writes the work on one cell; a function for each way of computing. Internal to engine/model/steps.
#pragma once

#include <string>
#include <vector>

#include "engine/model/steps/cell_work.h"

namespace glassformer {

class CellWorker {
 public:
  CellWorker(const Step& step, int row, int column, const StepNumbers& numbers);

  CellWork work;

  // cell_work_forward.cpp
  void product(const StepPattern& pattern);  // and a bias
  void softmax();
  void log_softmax();
  void layer_norm(int also);
  void sum_of_inputs();
  void copy(int from, int row, int column) { work.result = line(symbol(from), input(from, row, column)); }
  void concat();
  void scaled(ScaleFactor factor);
  void activation(Activation function);
  void look_up();
  void sinusoid();
  void rotation(bool back);
  void smooth_target(double smoothing);
  void token_loss();
  void mean_loss();

  // cell_work_backward.cpp
  void d_mean_loss();
  void d_token_loss();
  void d_log_softmax();
  void column_sum(int input);       // a bias hears from every row
  void products(bool with_stream);  // [{0} +] {1} {2} + ..
  void d_norm(int also);
  void d_softmax();
  void d_activation(Activation function);
  void d_mask();
  void first_rows();
  void by_word();
  void product_and_by_word();

 private:
  std::string symbol(int at) const { return step_.inputs[static_cast<std::size_t>(at)].symbol; }
  const OperandNumbers& table(int at) const { return tables_[static_cast<std::size_t>(at)]; }
  int inputs() const { return static_cast<int>(tables_.size()); }
  CellNumber input(int at, int row, int column) const;
  double line(const std::string& label, const CellNumber& number);
  void term(int place, std::vector<CellNumber> numbers, bool along_rows = false, int of = 0) {
    work.terms.push_back({place, of, along_rows, std::move(numbers)});
  }
  // Adds its terms, the running sum going on from `sum`; returns where the sum stands then.
  double add_product(CellProduct product, double sum);
  double largest_of_row() const;
  // Lines for the places of the sentence where this row's word stands; returns their sum.
  double add_by_word(int ids, int value);

  const Step& step_;
  int row_, column_;
  const StepNumbers& numbers_;
  const StepSizes& sizes_;
  std::vector<OperandNumbers> tables_;
};

}  // namespace glassformer
