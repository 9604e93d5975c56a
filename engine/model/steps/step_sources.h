// Where a number comes from: the cells that one cell of a step's output was computed of, and the step that
// made each of them. Following these leads back to weights and ids.
#pragma once

#include <span>
#include <vector>

#include "engine/model/steps/step_numbers.h"

namespace glassformer {

// A block of cells of one input of a step, in that operand's own rows and columns.
struct SourceCells {
  int input = 0;
  int first_row = 0, rows = 1;
  int first_column = 0, columns = 1;
  bool operator==(const SourceCells&) const = default;
};

// Everything that the cell (row, column) of step.output depends on, and nothing else.
std::vector<SourceCells> sources_of(const Step& step, int row, int column, const StepNumbers& numbers);

// One number in the store where it is kept: the last two axes of its tensor, and its head where it has heads.
struct StoredCell {
  OperandStore store = OperandStore::trace;
  std::string name;
  int head = -1;
  int row = 0, column = 0;
  bool operator==(const StoredCell&) const = default;
};
StoredCell stored_cell(const Operand& operand, int row, int column, const Config& config);

// The step whose output (or by-product) holds this number; null for parameters and masks, where the way back
// ends. `row` and `column` become the cell's place in that output.
struct Maker {
  const Step* step = nullptr;
  int also = -1;  // index among step->also; -1: the output
  int row = 0, column = 0;
};
Maker maker_of(const StoredCell& cell, std::span<const Step> steps, const StepSizes& sizes);

}  // namespace glassformer
