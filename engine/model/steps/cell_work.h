// One number of a step computed as on the blackboard: operand by operand, term by term, in double, from the
// numbers that the pass recorded. Forward by the step's formula, backward by its chain rule. What it comes to
// is what the pass computed, to the float's last digits; a test compares the two for every kind of step.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/model/steps/step_numbers.h"

namespace glassformer {

struct CellNumber {
  double value = 0;
  int input = -1;           // which input of the step it is read from; -1: computed here
  int row = 0, column = 0;  // its place there
  bool whole = false;       // a count or an index: no decimals
};

// One term of a sum, or one number of a row: what is in its line of the table.
struct CellTerm {
  int place = 0;  // along the columns, or the rows, of this input
  int input = 0;
  bool along_rows = false;
  std::vector<CellNumber> numbers;
};

// A row of one input meets a column of another; transposed: its column, or the other's row.
struct CellProduct {
  int left = 0, right = 1;
  bool left_transposed = false, right_transposed = false;
  int first = 0, count = 0;  // its terms among all
};

struct CellLine {
  std::string label;  // "largest score", "+ β"
  CellNumber number;
};

struct CellWork {
  std::vector<CellProduct> products;  // added up, one after another; empty: no matrix product
  std::vector<std::string> headings;  // of the terms' numbers; the last one of a product is the running sum
  std::vector<CellTerm> terms;
  std::vector<CellLine> lines;  // what is done besides, in order
  double result = 0;
  bool product() const { return !products.empty(); }
  // The terms are added up in their order.
  bool running_sum() const { return std::ranges::find(headings, "sum") != headings.end(); }
};

// `also` as in Maker: -1 the output, else one of what the step gives besides. The cell must lie inside it.
// `smoothing` is the loss's.
CellWork cell_work(const Step& step, int also, int row, int column, const StepNumbers& numbers,
                   double smoothing);

}  // namespace glassformer
