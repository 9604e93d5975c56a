// One number of a forward step worked out as on the blackboard: operand by operand, term by term, in double,
// from the numbers that the pass recorded. What it comes to is what the pass computed, to the float's last
// digits; a test compares the two for every kind of step.
#pragma once

#include <string>
#include <vector>

#include "engine/model/steps/step_numbers.h"

namespace glassformer {

struct CellNumber {
  double value = 0;
  int input = -1;           // which input of the step it is read from; -1: worked out here
  int row = 0, column = 0;  // its place there
};

// One term of a sum, or one number of a row: what stands in its line of the table.
struct CellTerm {
  int place = 0;  // along the columns of the first input (its rows, for the mean of the losses)
  std::vector<CellNumber> numbers;
};

struct CellLine {
  std::string label;  // "largest score", "+ β"
  CellNumber number;
};

struct CellWork {
  bool product = false;               // a row of the first input meets a column (or a row) of the second
  bool second_transposed = false;     // a row
  std::vector<std::string> headings;  // of the terms' numbers; the last one of a product is the running sum
  std::vector<CellTerm> terms;
  std::vector<CellLine> lines;  // what is done besides, in order
  double result = 0;
};

// `also` as in Maker: -1 the output, else one of what the step gives besides. The cell must lie inside it.
// `smoothing` is the loss's.
CellWork cell_work(const Step& step, int also, int row, int column, const StepNumbers& numbers,
                   double smoothing);

}  // namespace glassformer
