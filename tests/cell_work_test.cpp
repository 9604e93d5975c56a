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

// The largest number of a table, which its sums are as exact as.
double largest_of(const OperandNumbers& table) {
  double largest = 0;
  for (int row = 0; row < table.rows; ++row) {
    for (int column = 0; column < table.columns; ++column)
      if (std::isfinite(table(row, column)))
        largest = std::max(largest, std::abs(static_cast<double>(table(row, column))));
  }
  return largest;
}

// The largest that the running sum grows to on its way.
double largest_sum(const CellWork& work) {
  double largest = 0;
  for (const CellTerm& term : work.terms)
    if (work.headings.back() == "sum") largest = std::max(largest, std::abs(term.numbers.back().value));
  return largest;
}

// Every `stride`th number of what the step gives, worked out and compared; returns how many.
long compare_work(const Step& step, const StepNumbers& numbers, int stride) {
  long compared = 0;
  for (int also = -1; also < static_cast<int>(step.also.size()); ++also) {
    const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
    const OperandNumbers table = numbers.of(made);
    REQUIRE(table.recorded());
    const bool back = step.place.phase == StepPhase::backward;
    const double size = largest_of(table);
    for (int at = 0; at < table.rows * table.columns; at += stride, ++compared) {
      const int row = at / table.columns, column = at % table.columns;
      const CellWork work = cell_work(step, also, row, column, numbers, kSmoothing);
      const auto recorded = static_cast<double>(table(row, column));
      // Gradients are small, and some are sums of what cancels.
      const double allowed = 2e-5 * (back ? std::max(size, largest_sum(work)) : 1 + size);
      if (work.result != recorded && !(std::abs(work.result - recorded) <= allowed))
        FAIL_CHECK(made.symbol << " " << row << " " << column << ": " << work.result << ", not " << recorded);
    }
  }
  return compared;
}

TEST_CASE("the work on a cell comes to what the pass recorded, for every kind of step and configuration") {
  std::set<StepKind> seen;
  long compared = 0;
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    Transformer<float> model(each.config);
    model.initialize(3);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    for (const Step& step : training_steps(each.config)) {
      CAPTURE(step.name);
      compared += compare_work(step, numbers, step.place.phase == StepPhase::backward ? 5 : 3);
      seen.insert(step.kind);
    }
  }
  CHECK(compared > 60000);
  // All but the optimizer's.
  CHECK(seen.size() == static_cast<std::size_t>(StepKind::chosen_gradient));
}

TEST_CASE("the work on a cell reads the cells that it is said to come from, and no others") {
  Transformer<float> model(step_configs().front().config);
  model.initialize(3);
  const Trace trace = step_trace(model);
  const StepNumbers numbers(model, trace);
  int steps = 0;
  for (const Step& step : training_steps(model.config)) {
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
  CHECK(steps > 100);
}

TEST_CASE("positions are worked out where the what-ifs put each token, and turns by the same") {
  const auto change_of_kind = [](ChangeKind kind) {
    Change change;
    change.kind = kind;
    return change;
  };
  Change shift = change_of_kind(ChangeKind::shift_positions),
         swap = change_of_kind(ChangeKind::swap_positions),
         order = change_of_kind(ChangeKind::permute_positions),
         off = change_of_kind(ChangeKind::positions_off);
  shift.shift = 3;
  swap.row = 0, swap.column = 2;
  order.numbers = {4, 2, 0, 1, 3};
  for (const PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned, PositionKind::rotary}) {
    for (const Change& change : {shift, swap, order, off}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(change.kind));
      Config config = small_config();
      config.positions = kind;
      Transformer<float> model(config);
      model.initialize(3);
      TraceOptions options;
      options.gradients = options.parameter_gradients = true;
      options.what_if.changes = {change};
      const Trace trace = record_trace(model, step_sentences(), options);
      const StepNumbers numbers(model, trace, 0, {options.what_if});
      int seen = 0;
      for (const Step& step : training_steps(config)) {
        using enum StepKind;
        const bool placed = step.kind == sinusoids || step.kind == learned_positions || step.kind == rotate ||
                            step.kind == d_rotate || step.kind == d_learned_positions;
        if (!placed) continue;
        CAPTURE(step.name);
        compare_work(step, numbers, 1);
        ++seen;
      }
      CHECK(seen > 0);
    }
  }
}

TEST_CASE("the running sum ends at the value without its bias, and a row of shares adds up to one") {
  Transformer<float> model(step_configs().front().config);
  model.initialize(3);
  const Trace trace = step_trace(model);
  const StepNumbers numbers(model, trace);
  for (const Step& step : training_steps(model.config)) {
    const CellWork work = cell_work(step, -1, 1, 0, numbers, kSmoothing);
    if (work.product()) {
      double bias = 0;
      for (const CellLine& line : work.lines) bias += line.number.value;
      CHECK(work.terms.back().numbers[3].value + bias == doctest::Approx(work.result));
    }
    if (step.kind == StepKind::d_softmax) {
      double sum = 0;
      for (int column = 0; column < numbers.of(step.output).columns; ++column)
        sum += cell_work(step, -1, 1, column, numbers, kSmoothing).result;
      CHECK(std::abs(sum) < 1e-7);
    }
    if (step.kind == StepKind::softmax) {
      double sum = 0;
      for (const CellTerm& term : work.terms) sum += term.numbers[3].value;
      CHECK(sum == doctest::Approx(1));
    }
  }
}

TEST_CASE("the loss of a word is added up from the right word on and ends at the loss") {
  Transformer<float> model(step_configs().front().config);
  model.initialize(3);
  const Trace trace = step_trace(model);
  const StepNumbers numbers(model, trace);
  for (const Step& step : training_steps(model.config)) {
    if (step.kind != StepKind::token_loss) continue;
    const CellWork work = cell_work(step, -1, 1, 0, numbers, kSmoothing);
    CHECK(work.terms.front().place == numbers.ids("target_out")[1]);
    CHECK(work.terms.back().numbers[3].value == doctest::Approx(work.result));
    CHECK(work.lines[0].number.value + work.lines[1].number.value == doctest::Approx(work.result));
  }
}

}  // namespace
}  // namespace glassformer
