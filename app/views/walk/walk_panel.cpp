#include "app/views/walk/walk_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/step_reader.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

std::string count_note(const WalkAxis& axis) {
  return axis.complete() ? format_count(axis.total)
                         : std::to_string(axis.shown.size()) + " of " + format_count(axis.total);
}

double factor_of(const WalkPanel& panel) {
  double largest = 0;
  for (const float value : panel.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return shown_factor(panel.operand, largest);
}

// Why a number is not there.
std::string missing_note(const WalkScene& scene, const Operand& operand) {
  return operand.store == OperandStore::update && !scene.moments_known() ? "not kept" : "not recorded";
}

std::optional<int> index_of(const WalkAxis& axis, int wanted) {
  const auto found = std::ranges::find(axis.shown, wanted);
  if (found == axis.shown.end()) return std::nullopt;
  return static_cast<int>(found - axis.shown.begin());
}

}  // namespace

StoredCell WalkPanel::stored(const Config& config, std::size_t row, std::size_t column) const {
  const int i = rows.shown[row], j = columns.shown[column];
  return stored_cell(operand, transposed ? j : i, transposed ? i : j, config);
}

std::optional<WalkPanel::Place> WalkPanel::find(const StoredCell& cell, const Config& config) const {
  if (cell.store != operand.store || cell.name != operand.name) return std::nullopt;
  if (operand.head >= 0 && cell.head != operand.head) return std::nullopt;
  const std::optional<ValueName> name = read_name(cell.name);
  const bool split = operand.head < 0 && cell.head >= 0 && name && has_heads(name->value);
  return find(cell.row - operand.first_row,
              cell.column - operand.first_column + (split ? cell.head * config.head_width() : 0));
}

std::optional<WalkPanel::Place> WalkPanel::find(int row, int column) const {
  if (transposed) std::swap(row, column);
  const auto i = index_of(rows, row), j = index_of(columns, column);
  if (!i || !j) return std::nullopt;
  return Place{*i, *j};
}

namespace {

// Of whole rows alone.
std::vector<double> row_sums(const WalkPanel& panel) {
  std::vector<double> sums;
  if (!panel.columns.complete()) return sums;
  for (std::size_t row = 0; row < panel.rows.shown.size(); ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < panel.columns.shown.size(); ++column)
      sum += static_cast<double>(panel.at(row, column));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

WalkPanel walk_panel(const WalkScene& scene, const Step& step, const Operand& operand,
                     const WalkWindow& window, bool transposed) {
  const StepNumbers numbers = scene.numbers();
  const OperandNumbers table = numbers.of(operand);
  WalkPanel panel;
  panel.operand = operand;
  panel.transposed = transposed;
  panel.ids = operand.store == OperandStore::ids;
  const WalkSides sides = walk_sides(step, operand);
  WalkAxis rows = walk_axis(scene, sides.rows, window), columns = walk_axis(scene, sides.columns, window);
  panel.down = transposed ? sides.columns : sides.rows;
  panel.across = transposed ? sides.rows : sides.columns;
  if (operand.name == "target_out") {
    for (std::size_t i = 0; i < rows.shown.size(); ++i)
      rows.labels[i] = scene.words->written[static_cast<std::size_t>(rows.shown[i])];
  }
  if (operand.rows == Extent::one) rows.labels = {""};
  if (operand.columns == Extent::one) columns.labels = {""};
  panel.rows = transposed ? columns : rows;
  panel.columns = transposed ? rows : columns;
  panel.shape = count_note(panel.rows) + " × " + count_note(panel.columns);
  if (is_name_of(ValueKind::weights, operand.name) && operand.store == OperandStore::trace)
    panel.scale = ColorScale::weight;
  if (is_name_of(ValueKind::smoothed_target, operand.name)) panel.scale = ColorScale::weight;
  panel.missing = missing_note(scene, operand);
  if (!table.recorded()) return panel;
  for (const int row : panel.rows.shown) {
    for (const int column : panel.columns.shown)
      panel.values.push_back(transposed ? table(column, row) : table(row, column));
  }
  panel.factor = panel.single() ? 1 : factor_of(panel);
  if (is_name_of(ValueKind::weights, operand.name) && panel.scale == ColorScale::weight)
    panel.sums = row_sums(panel);
  return panel;
}

}  // namespace glassformer
