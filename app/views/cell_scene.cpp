#include "app/views/cell_scene.h"

#include <algorithm>
#include <cmath>

#include "app/inspector/inspector.h"
#include "app/views/attention_data.h"
#include "engine/model/parameters.h"

namespace glassformer {

namespace {

// An operand that stands for a whole parameter, with the letters of its axes where a step knows them.
Operand parameter_operand(const StepReader& reader, const StoredCell& cell) {
  for (const Step& step : reader.steps()) {
    for (const Operand& input : step.inputs) {
      const int row = cell.row - input.first_row, column = cell.column - input.first_column;
      if (input.store == cell.store && input.name == cell.name && row >= 0 &&
          row < reader.extent(input.rows) && column >= 0 && column < reader.extent(input.columns))
        return input;
    }
  }
  return {"", cell.store, cell.name};
}

CellRef fallback(const ViewInput& input) {
  Selection shown = within(input.pinned, input);
  shown.head = std::max(0, shown.head);
  shown.query = shown.query.value_or(0);
  shown.key = shown.key.value_or(0);
  shown.cell.reset();
  return *selected_cell(shown);
}

}  // namespace

CellScene::CellScene(const ViewInput& input, StepLists& lists, const std::optional<CellRef>& wanted)
    : reader(input, lists) {
  std::optional<StoredCell> stored;
  if (wanted) cell = *wanted, stored = reader.stored(cell);
  if (!stored) cell = fallback(input), stored = reader.stored(cell);
  const Maker maker = reader.maker(cell);
  step = maker.step;
  also = maker.also;
  if (step != nullptr) {
    operand = also < 0 ? step->output : step->also[static_cast<std::size_t>(also)];
    row = maker.row;
    column = maker.column;
    work = cell_work(*step, also, row, column, reader.numbers(), input.result.scene.smoothing);
  } else {
    operand = parameter_operand(reader, *stored);
    row = stored->row - operand.first_row;
    column = stored->column - operand.first_column;
  }
  const OperandNumbers table = reader.numbers().of(operand);
  if (table.recorded()) value = static_cast<double>(table(row, column));
}

std::string CellScene::name() const {
  std::string symbol = operand.symbol;
  std::erase(symbol, '_');
  const bool rows = operand.rows != Extent::one, columns = operand.columns != Extent::one;
  std::string text = symbol;
  if (rows || columns) text += " [";
  if (rows) text += reader.word(operand, false, row);
  if (rows && columns) text += ", ";
  if (columns) text += reader.word(operand, true, column);
  return rows || columns ? text + "]" : text;
}

std::vector<std::string> CellScene::place() const {
  if (step == nullptr) return {"Weights"};
  std::vector<std::string> path = step_path(*step);
  path.erase(path.begin());  // "Forward"
  path.emplace_back(step->name);
  return path;
}

std::optional<CellRef> CellScene::source(const CellNumber& number) const {
  if (step == nullptr || number.input < 0) return std::nullopt;
  return reader.cell(step->inputs[static_cast<std::size_t>(number.input)], number.row, number.column);
}

std::string CellScene::term_label(int place) const {
  if (step == nullptr || step->inputs.empty()) return std::to_string(place);
  const bool rows = step->kind == StepKind::mean_loss;
  return reader.word(step->inputs.front(), !rows, place);
}

bool CellScene::changed() const {
  if (step == nullptr || work.result == value) return false;
  return !(std::abs(work.result - value) < 1e-3 * (1 + std::abs(value)));
}

std::string cell_name(const ViewInput& input, StepLists& lists, const CellRef& cell) {
  return CellScene(input, lists, cell).name();
}

}  // namespace glassformer
