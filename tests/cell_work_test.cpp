#include "engine/model/steps/cell_work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "step_cases.h"

namespace glassformer {
namespace {

// As in step_trace: what record_trace takes by default.
constexpr double kSmoothing = 0.1;

TEST_CASE("the work on a cell comes to what the pass recorded, for every kind of step and configuration") {
  std::set<StepKind> seen;
  long compared = 0;
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    Transformer<float> model(each.config);
    model.initialize(3);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    for (const Step& step : training_steps(each.config, {.backward = false})) {
      CAPTURE(step.name);
      for (int also = -1; also < static_cast<int>(step.also.size()); ++also) {
        const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
        const OperandNumbers table = numbers.of(made);
        REQUIRE(table.recorded());
        for (int row = 0; row < table.rows; ++row) {
          for (int column = 0; column < table.columns; column += 3, ++compared) {
            const CellWork work = cell_work(step, also, row, column, numbers, kSmoothing);
            const auto recorded = static_cast<double>(table(row, column));
            const bool same =
                work.result == recorded || std::abs(work.result - recorded) < 2e-5 * (1 + std::abs(recorded));
            if (!same) FAIL_CHECK(row << " " << column << ": " << work.result << ", not " << recorded);
          }
        }
      }
      seen.insert(step.kind);
    }
  }
  CHECK(compared > 20000);
  CHECK(seen.size() > 30);
}

TEST_CASE("the work on a cell reads the cells that it is said to come from, and no others") {
  Transformer<float> model(step_configs().front().config);
  model.initialize(3);
  const Trace trace = step_trace(model);
  const StepNumbers numbers(model, trace);
  int steps = 0;
  for (const Step& step : training_steps(model.config, {.backward = false})) {
    if (step.off || step.kind == StepKind::mean_loss) continue;
    CAPTURE(step.name);
    using Cell = std::tuple<int, int, int>;
    std::set<Cell> read, said;
    const CellWork work = cell_work(step, -1, 1, 0, numbers, kSmoothing);
    const auto add = [&](const CellNumber& number) {
      if (number.input >= 0) read.insert({number.input, number.row, number.column});
    };
    for (const CellTerm& term : work.terms) std::ranges::for_each(term.numbers, add);
    for (const CellLine& line : work.lines) add(line.number);
    for (const SourceCells& block : sources_of(step, 1, 0, numbers)) {
      for (int row = 0; row < block.rows; ++row) {
        for (int column = 0; column < block.columns; ++column)
          said.insert({block.input, block.first_row + row, block.first_column + column});
      }
    }
    CHECK(read == said);
    ++steps;
  }
  CHECK(steps > 30);
}

TEST_CASE("the running sum ends at the value without its bias, and a row of shares adds up to one") {
  Transformer<float> model(step_configs().front().config);
  model.initialize(3);
  const Trace trace = step_trace(model);
  const StepNumbers numbers(model, trace);
  for (const Step& step : training_steps(model.config, {.backward = false})) {
    const CellWork work = cell_work(step, -1, 1, 0, numbers, kSmoothing);
    if (work.product) {
      double bias = 0;
      for (const CellLine& line : work.lines) bias += line.number.value;
      CHECK(work.terms.back().numbers[3].value + bias == doctest::Approx(work.result));
    }
    if (step.kind == StepKind::softmax) {
      double sum = 0;
      for (const CellTerm& term : work.terms) sum += term.numbers[3].value;
      CHECK(sum == doctest::Approx(1));
    }
  }
}

}  // namespace
}  // namespace glassformer
