// The arithmetic of every step, in plain loops and in double: what the steps' formulas say, with nothing of
// the model's layers.
#pragma once

#include <vector>

#include "engine/layers/adam.h"
#include "engine/layers/schedule.h"
#include "engine/model/steps/step_numbers.h"

namespace glassformer {

struct Grid {
  int rows = 0, columns = 0;
  std::vector<double> values;

  Grid() = default;
  Grid(int rows_, int columns_)
      : rows(rows_), columns(columns_), values(static_cast<std::size_t>(rows_ * columns_)) {}
  double& at(int row, int column) { return values[static_cast<std::size_t>(row * columns + column)]; }
  double at(int row, int column) const { return values[static_cast<std::size_t>(row * columns + column)]; }
};

Grid grid_of(const OperandNumbers& numbers);

// What the steps know besides their operands.
struct StepSettings {
  const StepSizes& sizes;
  double smoothing = 0.1;
  double gradient_norm = 0, clip = 0;
  AdamStep adam;
  Schedule schedule;
  std::vector<int> source, target_in, target_out;  // ids, for the steps that make them
};

// The step's output, then what it gives besides.
std::vector<Grid> recompute(const Step& step, const std::vector<Grid>& in, const StepSettings& settings);

}  // namespace glassformer
