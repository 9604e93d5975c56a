#include "engine/model/steps/step_sources.h"

#include "engine/model/names.h"
#include "engine/model/steps/cell_worker.h"
#include "engine/model/steps/pattern_rule.h"

namespace glassformer {
namespace {

// Whether a head's columns are kept apart, so that all of them side by side are read from several planes.
bool heads_apart(const std::string& name) {
  const std::optional<ValueName> read = read_name(name);
  return read && has_heads(read->value);
}

bool holds(const Operand& operand, const StoredCell& cell, const StepSizes& sizes) {
  if (operand.store != cell.store || operand.name != cell.name) return false;
  if (cell.head >= 0 && operand.head != cell.head) return false;
  const int row = cell.row - operand.first_row, column = cell.column - operand.first_column;
  return row >= 0 && row < sizes.of(operand.rows) && column >= 0 && column < sizes.of(operand.columns);
}

}  // namespace

std::vector<SourceCells> sources_of(const Step& step, int row, int column, const StepNumbers& numbers) {
  CellSources from(step, row, column, numbers);
  pattern_rule(step.pattern.kind).sources(from);
  return std::move(from.found);
}

StoredCell stored_cell(const Operand& operand, int row, int column, const Config& config) {
  StoredCell cell{operand.store, operand.name, operand.head, operand.first_row + row,
                  operand.first_column + column};
  const bool kept = operand.store == OperandStore::trace || operand.store == OperandStore::gradient;
  if (kept && operand.head < 0 && heads_apart(operand.name)) {
    cell.head = column / config.head_width();
    cell.column = column % config.head_width();
  }
  return cell;
}

Maker maker_of(const StoredCell& cell, std::span<const Step> steps, const StepSizes& sizes) {
  for (const Step& step : steps) {
    if (step.off) continue;
    for (int also = -1; also < static_cast<int>(step.also.size()); ++also) {
      const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
      if (holds(made, cell, sizes))
        return {&step, also, cell.row - made.first_row, cell.column - made.first_column};
    }
  }
  return {};
}

}  // namespace glassformer
