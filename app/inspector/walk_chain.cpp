#include "app/inspector/walk_chain.h"

#include <algorithm>
#include <cmath>

#include "app/inspector/operands.h"
#include "app/inspector/pages.h"
#include "app/inspector/walk_pages.h"
#include "app/reading/step_words.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostTerms = 10;

// The cells of one source, one after another.
struct Stretch {
  const Operand* operand = nullptr;
  std::vector<double> values;
  std::vector<StoredCell> cells;
  std::vector<std::string> names;  // which of the row or column each is: "fille", "3"
};

std::string name_of(const WalkScene& scene, Extent extent, int at) {
  const auto place = static_cast<std::size_t>(at);
  if (extent == Extent::source && place < scene.source.size()) return scene.source[place];
  if (extent == Extent::target && place < scene.target.size()) return scene.target[place];
  return is_vocabulary(extent) ? scene.word(extent, at) : std::to_string(at);
}

Stretch run_of(const WalkScene& scene, const Step& step, const SourceCells& source) {
  Stretch run;
  run.operand = &step.inputs[static_cast<std::size_t>(source.input)];
  const OperandNumbers numbers = scene.numbers().of(*run.operand);
  for (int row = source.first_row; row < source.first_row + source.rows; ++row) {
    for (int column = source.first_column; column < source.first_column + source.columns; ++column) {
      if (numbers.recorded()) run.values.push_back(static_cast<double>(numbers(row, column)));
      run.cells.push_back(stored_cell(*run.operand, row, column, scene.weights->config));
      run.names.push_back(source.rows > 1 ? name_of(scene, run.operand->rows, row)
                                          : name_of(scene, run.operand->columns, column));
    }
  }
  return run;
}

std::string symbol(const Operand& operand) {
  return plain_symbol(operand.symbol);
}

InspectorRow link(const WalkScene& scene, const std::string& label, const StoredCell& cell, double value) {
  InspectorRow row{.label = label, .value = significant_text(value, 5)};
  if (cell.store == OperandStore::ids) row.value = format_count(static_cast<long long>(value));
  const bool made = maker_of(cell, scene.steps, scene.numbers().sizes()).step != nullptr;
  if (made || cell.store == OperandStore::parameter) row.link = OpenStep{cell_ref(scene, cell)};
  return row;
}

bool multiplies(const Step& step) {
  using enum StepKind;
  switch (step.kind) {
    case softmax:
    case layer_norm:
    case final_norm:
    case d_norm:
    case d_norm_and_stream:
    case d_log_softmax:
    case mean_loss:
      return false;
    default:
      return true;
  }
}

// Of a plain sum the term that matters most, and the others together.
void add_largest(InspectorSection& how, const Stretch& run) {
  const auto most = static_cast<std::size_t>(
      std::ranges::max_element(run.values, {}, [](double value) { return std::abs(value); }) -
      run.values.begin());
  double others = -run.values[most];
  for (const double value : run.values) others += value;
  const auto line = [&](const std::string& number, const std::string& whose) {
    how.formulas.push_back(formula_row({formula_mono(number + " "), formula_text("(" + whose + ")")}));
  };
  line("= " + significant_text(run.values[most], 5), run.names[most]);
  line((others < 0 ? "\u2212 " : "+ ") + significant_text(std::abs(others), 5),
       format_count(static_cast<long long>(run.values.size()) - 1) + " more");
}

}  // namespace

void add_numbers(InspectorPage& page, const WalkScene& scene, const Maker& maker, const StoredCell& cell) {
  const Step& step = *maker.step;
  InspectorSection how;
  how.heading = step.place.phase == StepPhase::backward ? "Chain rule, with numbers" : "How it was computed";
  how.formulas = {walk_formula(symbols_formula(step))};
  if (maker.also >= 0) {
    page.sections.push_back(std::move(how));
    return;
  }
  const StepNumbers numbers = scene.numbers();
  std::vector<Stretch> runs;
  for (const SourceCells& source : sources_of(step, maker.row, maker.column, numbers))
    runs.push_back(run_of(scene, step, source));

  // Two stretches of equal length are multiplied in pairs; single numbers stand for themselves.
  InspectorSection from;
  from.heading = "Comes from";
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Stretch& run = runs[i];
    const bool paired_with_next = multiplies(step) && run.values.size() > 1 && i + 1 < runs.size() &&
                                  runs[i + 1].values.size() == run.values.size();
    if (paired_with_next) {
      const Stretch& other = runs[i + 1];
      const std::vector<Product> terms = paired(run.values, other.values);
      for (Formula& line : product_lines(terms, {}, pairs == 0 ? 4 : 2))
        how.formulas.push_back(std::move(line));
      ++pairs;
      how.note = format_count(static_cast<long long>(terms.size())) + " pairs";
      const auto most = static_cast<std::size_t>(largest_term(terms));
      const std::string which = " of the largest pair";
      from.rows.push_back(link(scene, symbol(*run.operand) + which, run.cells[most], run.values[most]));
      from.rows.push_back(link(scene, symbol(*other.operand) + which, other.cells[most], other.values[most]));
      ++i;
      if (step.kind == StepKind::d_softmax)
        how.formulas.push_back(formula_mono("row sum = " + significant_text(sum_of(terms), 5)));
      continue;
    }
    for (std::size_t at = 0; at < run.values.size() && from.rows.size() < kMostTerms; ++at)
      from.rows.push_back(
          link(scene, symbol(*run.operand) + (run.values.size() > 1 ? " " + run.names[at] : std::string()),
               run.cells[at], run.values[at]));
    if (step.kind == StepKind::d_bias && run.values.size() > 1) add_largest(how, run);
  }
  if (step.kind == StepKind::d_softmax && runs.size() == 2) {
    // The cell's own weight and gradient, and the row's sum between them.
    const auto at = static_cast<std::size_t>(maker.column);
    const double weight = runs[0].values[at], arriving = runs[1].values[at];
    const double sum = sum_of(paired(runs[0].values, runs[1].values));
    how.formulas.push_back(formula_mono("= " + operand_text(weight) + " × (" + significant_text(arriving, 4) +
                                        (sum < 0 ? " + " : " \u2212 ") + significant_text(std::abs(sum), 4) +
                                        ")"));
  }
  how.formulas.push_back(formula_mono("= " + significant_text(walk_value(scene, cell), 5)));
  page.sections.push_back(std::move(how));
  if (!from.rows.empty()) page.sections.push_back(std::move(from));
}

}  // namespace glassformer
