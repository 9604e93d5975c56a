#include "engine/model/steps/step_sources.h"

#include "engine/model/names.h"

namespace glassformer {
namespace {

// Writes down blocks of the inputs of one step, by what they have to do with the cell (row, column).
class Sources {
 public:
  Sources(const Step& step, int row, int column, const StepNumbers& numbers)
      : step_(step), row_(row), column_(column), numbers_(numbers) {}

  Sources& cell(int input, int row, int column) {
    if (has(input)) found.push_back({input, row, 1, column, 1});
    return *this;
  }
  Sources& cell(int input) { return cell(input, row_, column_); }
  Sources& row(int input, int row) {
    if (has(input)) found.push_back({input, row, 1, 0, columns(input)});
    return *this;
  }
  Sources& row(int input) { return row(input, row_); }
  Sources& column(int input, int column) {
    if (has(input)) found.push_back({input, 0, rows(input), column, 1});
    return *this;
  }
  Sources& all(int input) {
    if (has(input)) found.push_back({input, 0, rows(input), 0, columns(input)});
    return *this;
  }
  // One number a row, and one number a column.
  Sources& of_row(int input) { return cell(input, row_, 0); }
  Sources& of_column(int input) { return cell(input, 0, column_); }
  Sources& same_cell_everywhere() {
    for (int input = 0; has(input); ++input) cell(input);
    return *this;
  }
  // A row of the left factor and a column of the right one; transposed, its column and the other's row.
  Sources& product(int left, int right, const StepPattern& pattern = {}) {
    pattern.left_transposed ? column(left, row_) : row(left);
    return pattern.right_transposed ? row(right, column_) : column(right, column_);
  }
  Sources& products(bool with_stream) {
    if (with_stream) cell(0);
    for (int left = with_stream ? 1 : 0; has(left); left += 2) product(left, left + 1);
    return *this;
  }
  // Rows of `value` whose id is this row's.
  Sources& by_word(int ids, int value) {
    if (!has(ids)) return *this;
    const std::vector<int>& list = numbers_.ids(input(ids).name);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] == row_) cell(ids, static_cast<int>(i), 0).cell(value, static_cast<int>(i), column_);
    }
    return *this;
  }
  Sources& looked_up(int ids, int table) {
    const int id = numbers_.ids(input(ids).name)[static_cast<std::size_t>(row_)];
    return of_row(ids).cell(table, id, column_);
  }
  Sources& pair_of_columns(int input) {
    if (has(input)) found.push_back({input, row_, 1, column_ - column_ % 2, 2});
    return *this;
  }
  Sources& side_by_side() {
    const int width = columns(0);
    return cell(column_ / width, row_, column_ % width);
  }

  std::vector<SourceCells> found;

 private:
  bool has(int input) const { return input < static_cast<int>(step_.inputs.size()); }
  const Operand& input(int at) const { return step_.inputs[static_cast<std::size_t>(at)]; }
  int rows(int at) const { return numbers_.sizes().of(input(at).rows); }
  int columns(int at) const { return numbers_.sizes().of(input(at).columns); }

  const Step& step_;
  int row_, column_;
  const StepNumbers& numbers_;
};

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
  using enum PatternKind;
  Sources from(step, row, column, numbers);
  switch (step.pattern.kind) {
    case tokens:
    case position_signal:
    case setting:
      break;
    case same_cell:
    case sum:
    case scale:
    case activation:
    case slope:
    case hide:
      from.same_cell_everywhere();
      break;
    case first_rows:
      if (row < numbers.sizes().of(step.inputs[0].rows)) from.cell(0);
      break;
    case product:
      from.product(0, 1, step.pattern).of_column(2);
      break;
    case products:
      from.products(step.pattern.with_stream);
      break;
    case product_and_by_word:
      from.product(0, 1, step.pattern).by_word(2, 3).by_word(4, 5);
      break;
    case softmax:
    case log_softmax:
      from.row(0);
      break;
    case layer_norm:
      from.row(0).of_column(1).of_column(2);
      break;
    case cross_entropy:
    case d_softmax:
      from.row(0).row(1);
      break;
    case d_log_softmax:
      from.row(0).cell(1);
      break;
    case d_layer_norm:
      from.row(0).row(1).row(2, 0).of_row(3).of_row(4).cell(5);
      break;
    case d_cross_entropy:
      from.of_row(0).cell(1);
      break;
    case column_sums:
      from.column(0, column);
      break;
    case mean:
      from.all(0).all(1);
      break;
    case d_mean:
      from.all(0);
      break;
    case look_up:
      from.looked_up(0, 1);
      break;
    case by_word:
      from.by_word(0, 1);
      break;
    case smoothed_target:
      from.of_row(0);
      break;
    case rotation:
      from.pair_of_columns(0);
      break;
    case side_by_side:
      from.side_by_side();
      break;
  }
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
