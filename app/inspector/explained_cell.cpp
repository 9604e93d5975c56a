#include "app/inspector/explained_cell.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/inspector/pages.h"
#include "app/inspector/wider_words.h"
#include "app/inspector/work_formulas.h"
#include "app/reading/cell_names.h"
#include "app/reading/covered.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostTerms = 10, kMostReaders = 8;

bool has_words(Extent extent) {
  return extent == Extent::source || extent == Extent::target || extent == Extent::source_vocab ||
         extent == Extent::target_vocab;
}

// "Q “une”, 3": its symbol and its place, an axis of one number left out.
std::string label_of(const ExplainedCell& explained, const Operand& operand, int row, int column) {
  std::string label = plain_symbol(operand.symbol), gap = " ";
  for (const bool columns : {false, true}) {
    const Extent extent = columns ? operand.columns : operand.rows;
    const int at = columns ? column : row;
    if (extent == Extent::one) continue;
    label += gap + (has_words(extent) ? "“" + explained.reader.word(operand, columns, at) + "”"
                                      : std::to_string(at));
    gap = ", ";
  }
  return label;
}

InspectorRow row_of(const ExplainedCell& explained, const Step& step, const Operand& operand, int row,
                    int column, double value) {
  InspectorRow shown{.label = label_of(explained, operand, row, column), .value = work_text(step, value)};
  if (operand.store == OperandStore::ids) shown.value = format_count(std::lround(value));
  const StoredCell cell = stored_cell(operand, row, column, explained.numbers().sizes().config);
  if (explained.covers(cell)) shown.value = "covered";
  shown.link = explained.link(cell);
  return shown;
}

void add_number(InspectorSection& section, const ExplainedCell& explained, const CellNumber& number) {
  if (number.input < 0) return;
  const Step& step = *explained.maker.step;
  section.rows.push_back(row_of(explained, step, step.inputs[static_cast<std::size_t>(number.input)],
                                number.row, number.column, number.value));
}

// The cells that it was computed of: of a product the largest pair, of a row the cell's own.
InspectorSection operands_of(const ExplainedCell& explained, const CellWork& work) {
  InspectorSection from{.heading = "Comes from"};
  for (const CellProduct& product : work.products) {
    const CellTerm* largest = largest_term(work, product);
    if (largest == nullptr || from.rows.size() >= 2 * kMostTerms) continue;
    from.note = work.products.size() == 1 ? "the largest pair" : "the largest pairs";
    for (const CellNumber& number : largest->numbers) add_number(from, explained, number);
  }
  const CellTerm* const own = explained.maker.also < 0 ? term_at(work, explained.maker.column) : nullptr;
  if (own && is_norm_backward(explained.maker.step->pattern.kind))
    for (const CellNumber& number : own->numbers) add_number(from, explained, number);
  for (const CellLine& line : work.lines) add_number(from, explained, line.number);
  if (!from.rows.empty()) return from;
  if (own) {
    const bool loss = explained.maker.step->pattern.kind == PatternKind::cross_entropy;
    for (const CellNumber& number : (loss ? work.terms.front() : *own).numbers)
      add_number(from, explained, number);
    return from;
  }
  for (const CellTerm& term : work.terms)
    for (const CellNumber& number : term.numbers)
      if (from.rows.size() < kMostTerms) add_number(from, explained, number);
  return from;
}

// What a norm found of the row, beside its result.
void add_by_products(InspectorSection& from, const ExplainedCell& explained) {
  const Step& step = *explained.maker.step;
  if (!is_norm(step.pattern.kind) || explained.maker.also >= 0) return;
  for (const Operand& also : step.also) {
    const OperandNumbers numbers = explained.numbers().of(also);
    if (!numbers.recorded()) continue;
    const int row = explained.maker.row;
    from.rows.push_back(row_of(explained, step, also, row, 0, static_cast<double>(numbers(row, 0))));
  }
}

// Whether the output's cell draws on this cell of the input.
bool draws_on(const Step& step, int row, int column, int input, const StoredCell& cell,
              const StepNumbers& numbers) {
  const Operand& operand = step.inputs[static_cast<std::size_t>(input)];
  const bool side_by_side = cell.head >= 0 && operand.head < 0;
  const int width = side_by_side ? numbers.sizes().config.head_width() : 0;
  const int read_row = cell.row - operand.first_row,
            read_column = cell.column - operand.first_column + (side_by_side ? cell.head * width : 0);
  return std::ranges::any_of(sources_of(step, row, column, numbers), [&](const SourceCells& each) {
    return each.input == input && read_row >= each.first_row && read_row < each.first_row + each.rows &&
           read_column >= each.first_column && read_column < each.first_column + each.columns;
  });
}

struct Reading {
  const Step* step = nullptr;
  int row = 0, column = 0;  // the first cell of its output that draws on the number
};

// What a step makes of the cell; nothing when it does not read it. Numbers keep their row or column.
std::optional<Reading> reading_of(const Step& step, const StoredCell& cell, const StepNumbers& numbers) {
  for (int input = 0; input < static_cast<int>(step.inputs.size()); ++input) {
    const Operand& operand = step.inputs[static_cast<std::size_t>(input)];
    if (operand.store != cell.store || operand.name != cell.name) continue;
    if (cell.head >= 0 && operand.head >= 0 && operand.head != cell.head) continue;
    const int row = cell.row - operand.first_row, column = cell.column - operand.first_column;
    const int heads_before = std::max(0, cell.head) * numbers.sizes().config.head_width();
    const std::array places = {std::pair{row, column}, std::pair{row, heads_before + column},
                               std::pair{row, 0},      std::pair{0, column},
                               std::pair{0, row},      std::pair{column, 0},
                               std::pair{0, 0}};
    const int rows = numbers.sizes().of(step.output.rows), columns = numbers.sizes().of(step.output.columns);
    for (const auto& [to_row, to_column] : places) {
      if (to_row < 0 || to_column < 0 || to_row >= rows || to_column >= columns) continue;
      if (draws_on(step, to_row, to_column, input, cell, numbers)) return Reading{&step, to_row, to_column};
    }
  }
  return std::nullopt;
}

bool of_one_cell(PatternKind kind) {
  return kind == PatternKind::same_cell || kind == PatternKind::scale || kind == PatternKind::sum;
}

// The steps that read it, one of a kind. Inside a head the way leads on to its softmax.
InspectorSection readers_of(const ExplainedCell& explained) {
  InspectorSection to{.heading = "Where it goes"};
  const bool backward = is_gradient(explained.cell.store);
  StoredCell cell = explained.cell;
  std::vector<StepKind> listed;
  for (const Step& step : explained.steps) {
    if (step.off || (step.place.phase == StepPhase::backward) != backward ||
        step.place.phase == StepPhase::update || to.rows.size() >= kMostReaders)
      continue;
    const bool known = std::ranges::find(listed, step.kind) != listed.end();
    const std::optional<Reading> reading = known ? std::nullopt : reading_of(step, cell, explained.numbers());
    if (!reading) continue;
    const OperandNumbers numbers = explained.numbers().of(step.output);
    if (!numbers.recorded()) continue;
    listed.push_back(step.kind);
    InspectorRow row = row_of(explained, step, step.output, reading->row, reading->column,
                              static_cast<double>(numbers(reading->row, reading->column)));
    row.label = step.name;
    to.rows.push_back(std::move(row));
    if (step.place.head >= 0 && of_one_cell(step.pattern.kind))
      cell = stored_cell(step.output, reading->row, reading->column, explained.numbers().sizes().config);
  }
  return to;
}

// Its sum would show numbers that a page of a lesson asks for.
bool of_covered(const ExplainedCell& explained, const CellWork& work) {
  if (!explained.input.covered) return false;  // of a vocabulary there are tens of thousands of terms
  const auto covered = [&](const CellNumber& number) {
    return number.input >= 0 &&
           explained.covers(stored_cell(explained.maker.step->inputs[static_cast<std::size_t>(number.input)],
                                        number.row, number.column, explained.numbers().sizes().config));
  };
  return std::ranges::any_of(work.lines, covered, &CellLine::number) ||
         std::ranges::any_of(
             work.terms, [&](const CellTerm& term) { return std::ranges::any_of(term.numbers, covered); });
}

bool worked_out(const ExplainedCell& explained) {
  const Step& step = *explained.maker.step;
  const auto known = [&](const Operand& input) { return explained.numbers().of(input).recorded(); };
  return step.pattern.kind != PatternKind::setting && step.pattern.kind != PatternKind::tokens &&
         std::ranges::all_of(step.inputs, known);
}

// Of what a norm finds of a row the step's formula says only where it is.
std::vector<Formula> symbols_of(const Step& step, int also) {
  if (step.formula.empty()) return {};
  const bool same = step.pattern.kind == PatternKind::same_cell && step.inputs.size() == 1 &&
                    step.inputs.front().symbol == step.output.symbol;
  if (same) return {formula_text("handed on unchanged")};
  if (!is_norm(step.pattern.kind) || also < 0) return {walk_formula(symbols_formula(step))};
  const std::string x = step.inputs.front().symbol, mean = step.also[0].symbol;
  if (step.pattern.kind == PatternKind::rms_norm)
    return {formula_row({formula_text(mean + " ="), formula_root(walk_formula("mean of " + x + "² + ε"))})};
  if (also == 0)
    return {formula_row({formula_text(mean + " ="),
                         formula_fraction(walk_formula("sum of the row of " + x), formula_text("d"))})};
  return {formula_row({formula_text(step.also[1].symbol + " ="),
                       formula_root(walk_formula("mean of (" + x + " − " + mean + ")² + ε"))})};
}

InspectorSection computation_of(const ExplainedCell& explained, const CellWork& work) {
  const Step& step = *explained.maker.step;
  InspectorSection how;
  how.heading = step.place.phase == StepPhase::backward ? "Chain rule, with numbers" : "How it was computed";
  how.formulas = symbols_of(step, explained.maker.also);
  if (work.product())
    how.note =
        format_count(work.products.front().count) + (work.products.front().count == 1 ? " pair" : " pairs");
  for (Formula& line : work_formulas(step, work, explained.maker.column, explained.value()))
    how.formulas.push_back(std::move(line));
  const bool hidden = step.pattern.kind == PatternKind::softmax &&
                      std::isinf(term_at(work, explained.maker.column)->numbers[0].value);
  if (hidden) how.text = "The mask made this score −∞, and exp( −∞ ) is 0: the word is hidden here.";
  return how;
}

// What holds for the whole step, or is made of numbers that were not kept.
void add_without_work(InspectorPage& page, const ExplainedCell& explained) {
  const Step& step = *explained.maker.step;
  InspectorSection how{.heading = "How it was computed"};
  how.formulas = {walk_formula(symbols_formula(step)),
                  formula_mono("= " + work_text(step, explained.value()))};
  page.sections.push_back(std::move(how));
  InspectorSection from{.heading = "Comes from"};
  for (const SourceCells& each :
       sources_of(step, explained.maker.row, explained.maker.column, explained.numbers())) {
    const Operand& operand = step.inputs[static_cast<std::size_t>(each.input)];
    const OperandNumbers numbers = explained.numbers().of(operand);
    const double value = numbers.recorded() ? static_cast<double>(numbers(each.first_row, each.first_column))
                                            : std::numeric_limits<double>::quiet_NaN();
    if (numbers.recorded())
      from.rows.push_back(row_of(explained, step, operand, each.first_row, each.first_column, value));
  }
  if (!from.rows.empty()) page.sections.push_back(std::move(from));
}

}  // namespace

bool ExplainedCell::covers(const StoredCell& other) const {
  const std::optional<CellRef> shown = input.covered ? reader.shown(other) : std::nullopt;
  return shown && is_asked_for(input, *shown);
}

void add_explanation(InspectorPage& page, const ExplainedCell& explained) {
  const Maker& maker = explained.maker;
  if (maker.step == nullptr) return;
  const Step& step = *maker.step;
  if (!step.section.empty()) page.paper = "Paper, section " + std::string(step.section);
  if (!worked_out(explained)) {
    add_without_work(page, explained);
    return;
  }
  const CellWork work =
      cell_work(step, maker.also, maker.row, maker.column, explained.numbers(), explained.smoothing);
  if (of_covered(explained, work)) {
    add_without_work(page, explained);
    page.sections.back().text = kCovered;
    return;
  }
  page.sections.push_back(computation_of(explained, work));
  if (!is_gradient(explained.cell.store)) note_change(page, work.result, explained.value());
  InspectorSection from = operands_of(explained, work);
  add_by_products(from, explained);
  if (!from.rows.empty()) page.sections.push_back(std::move(from));
  InspectorSection to = readers_of(explained);
  if (!to.rows.empty()) page.sections.push_back(std::move(to));
  if (explained.maker.step == nullptr || explained.maker.also >= 0) return;
  const RowAndColumn at{explained.cell.row, explained.cell.column};
  for (InspectorSection& wider : wider_sections(*explained.maker.step, explained.numbers(), at))
    page.sections.push_back(std::move(wider));
}

}  // namespace glassformer
