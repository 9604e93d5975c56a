#include "app/views/cell/cell.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/inspector/inspector.h"
#include "app/reading/attention_table.h"
#include "app/reading/covered.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/place_words.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostInOrder = 16;  // terms of a row that is no product: a longer one is sorted

// An operand that represents a whole parameter, with the letters of its axes where a step knows them.
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

// Masks are rules, and the optimizer's numbers are the Walk's.
std::optional<StoredCell> stored_here(const StepReader& reader, const CellRef& cell) {
  const std::optional<StoredCell> found = reader.stored(cell);
  const bool other = found && (found->store == OperandStore::mask || found->store == OperandStore::update);
  return other ? std::nullopt : found;
}

CellRef fallback(const ViewInput& input) {
  Selection shown = within(input.pinned, input);
  shown.head = std::max(0, shown.head);
  shown.query = shown.query.value_or(0);
  shown.key = shown.key.value_or(0);
  shown.cell.reset();
  return *selected_cell(shown);
}

std::vector<int> order_of(const CellWork& work, int column) {
  std::vector<int> order(work.terms.size());
  std::iota(order.begin(), order.end(), 0);
  if (work.running_sum() || order.size() <= kMostInOrder) return order;
  // Of a long row the one looked at, then the largest.
  std::vector<double> size;
  for (const CellTerm& term : work.terms) {
    const std::size_t count = term.numbers.size(), last = count - 1;
    const double number = std::abs(term.numbers[count > 5 ? last : std::min<std::size_t>(2, last)].value);
    size.push_back(term.place == column && !term.along_rows ? HUGE_VAL : number);
  }
  std::ranges::stable_sort(order, [&](int a, int b) {
    return size[static_cast<std::size_t>(a)] > size[static_cast<std::size_t>(b)];
  });
  return order;
}

double largest_of(const CellWork& work) {
  double largest = 0;
  for (const CellTerm& term : work.terms) {
    for (const CellNumber& number : term.numbers)
      if (std::isfinite(number.value)) largest = std::max(largest, std::abs(number.value));
  }
  return largest;
}

// Of an input with the shape of the output, the number in the cell's own place represents the others.
std::vector<CellReads> reads_of(const CellWork& work, const Step& step, const Operand& output, int row,
                                int column) {
  std::vector<CellReads> all(step.inputs.size());
  const auto add = [&](const CellNumber& number) {
    if (number.input < 0) return;
    CellReads& reads = all[static_cast<std::size_t>(number.input)];
    if (!reads.any) reads.first = number;
    reads.any = true;
    reads.one_row = reads.one_row && number.row == reads.first.row;
    reads.one_column = reads.one_column && number.column == reads.first.column;
  };
  for (const CellTerm& term : work.terms) std::ranges::for_each(term.numbers, add);
  for (const CellLine& line : work.lines) add(line.number);

  const auto prefer = [&](const CellNumber& number) {
    if (number.input < 0 || number.row != row || number.column != column) return;
    const auto at = static_cast<std::size_t>(number.input);
    if (step.inputs[at].rows == output.rows && step.inputs[at].columns == output.columns)
      all[at].first = number;
  };
  for (const CellTerm& term : work.terms) std::ranges::for_each(term.numbers, prefer);
  return all;
}

}  // namespace

CellScene::CellScene(const ViewInput& input, CellCaches& caches, const std::optional<CellRef>& wanted)
    : reader(input, caches.lists, wanted && wanted->gradient), caches_(caches) {
  std::optional<StoredCell> stored;
  if (wanted) cell = *wanted, stored = stored_here(reader, cell);
  if (!stored) cell = fallback(input), stored = stored_here(reader, cell);
  const Maker maker = reader.maker(cell);
  step = maker.step;
  also = maker.also;
  if (step != nullptr) {
    operand = also < 0 ? step->output : step->also[static_cast<std::size_t>(also)];
    row = maker.row;
    column = maker.column;
  } else {
    operand = parameter_operand(reader, *stored);
    row = stored->row - operand.first_row;
    column = stored->column - operand.first_column;
  }
  const OperandNumbers table = reader.numbers().of(operand);
  if (table.recorded()) value = static_cast<double>(table(row, column));
}

const CellSheet& CellScene::sheet() const {
  const ViewInput& input = reader.input();
  if (!sheet_ && (step == nullptr || waiting())) sheet_ = std::make_shared<const CellSheet>();
  if (!sheet_) {
    const CellKey key{input.result.trace, reader.has_gradients() ? input.result.gradients : nullptr,
                      input.snapshot.weights, cell};
    sheet_ = caches_.sheets
                 .get(key, true,
                      [&] {
                        CellSheet sheet;
                        sheet.work = cell_work(*step, also, row, column, reader.numbers(),
                                               input.result.scene.smoothing);
                        sheet.order = order_of(sheet.work, own_column());
                        sheet.reads = reads_of(sheet.work, *step, operand, row, column);
                        sheet.largest = largest_of(sheet.work);
                        return sheet;
                      })
                 .value;
  }
  return *sheet_;
}

std::string CellScene::name() const {
  const std::string symbol = plain_symbol(operand.symbol);
  const bool rows = operand.rows != Extent::one, columns = operand.columns != Extent::one;
  std::string text = symbol;
  if (rows || columns) text += " [";
  if (rows) text += reader.word(operand, false, row);
  if (rows && columns) text += ", ";
  if (columns) text += reader.word(operand, true, column);
  return rows || columns ? text + "]" : text;
}

int CellScene::own_column() const {
  return operand.columns == Extent::one ? -1 : column;
}

std::string CellScene::place_words() const {
  const std::string down = axis_word(operand, false), across = axis_word(operand, true);
  const bool alike = down == across;
  std::string text;
  if (!down.empty()) text = (alike ? "row" : down) + " " + reader.word(operand, false, row);
  if (!across.empty())
    text +=
        (text.empty() ? "" : ", ") + (alike ? "column" : across) + " " + reader.word(operand, true, column);
  if (operand.head >= 0) text += ", head " + std::to_string(operand.head + 1);
  return text;
}

std::vector<std::string> CellScene::place() const {
  if (step == nullptr) return {"Weights"};
  std::vector<std::string> path = step_path(*step);
  if (step->place.phase != StepPhase::backward) path.erase(path.begin());  // "Forward"
  path.emplace_back(step->name);
  return path;
}

std::optional<CellRef> CellScene::source(const CellNumber& number) const {
  if (step == nullptr || number.input < 0) return std::nullopt;
  return reader.cell(step->inputs[static_cast<std::size_t>(number.input)], number.row, number.column);
}

std::string CellScene::term_label(const CellTerm& term) const {
  if (step == nullptr || step->inputs.empty()) return std::to_string(term.place);
  return reader.word(step->inputs[static_cast<std::size_t>(term.input)], !term.along_rows, term.place);
}

std::string CellScene::product_name(const CellProduct& product) const {
  const Operand &left = step->inputs[static_cast<std::size_t>(product.left)],
                &right = step->inputs[static_cast<std::size_t>(product.right)];
  const std::string text = plain_symbol(left.symbol) + " " + plain_symbol(right.symbol);
  // The memory hears from every decoder layer.
  const std::optional<ValueName> name = read_name(left.name);
  if (step->kind != StepKind::d_memory || !name || !in_layer(name->block)) return text;
  return text + ", " + layer_words(name->layer);
}

bool CellScene::changed() const {
  if (step == nullptr || waiting() || work().result == value) return false;
  // Gradients are small, and sums of what nearly cancels.
  const double size = cell.gradient ? std::max(std::abs(value), sheet().largest) : 1 + std::abs(value);
  return !(std::abs(work().result - value) < 1e-3 * size);
}

bool CellScene::covered() const {
  const ViewInput& input = reader.input();
  if (!input.covered || waiting()) return false;
  const auto asked = [&](const CellNumber& number) {
    const auto from = source(number);
    return from && is_covered(input, *from);
  };
  return is_covered(input, cell) ||
         std::ranges::any_of(work().lines, [&](const CellLine& line) { return asked(line.number); }) ||
         std::ranges::any_of(work().terms,
                             [&](const CellTerm& term) { return std::ranges::any_of(term.numbers, asked); });
}

}  // namespace glassformer
