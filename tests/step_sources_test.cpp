// Where a number comes from: what a step's cell is said to depend on is what it does depend on.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "engine/math/random.h"
#include "step_cases.h"

using namespace glassformer;

namespace {

bool inside(const SourceCells& cells, int row, int column) {
  return row >= cells.first_row && row < cells.first_row + cells.rows && column >= cells.first_column &&
         column < cells.first_column + cells.columns;
}

// Ids and masks choose which numbers are read; the rest are the numbers.
bool is_number(const Operand& operand) {
  return operand.store != OperandStore::ids && operand.store != OperandStore::mask;
}

// The inputs with every number moved that is (or is not) among the sources, of one input or of all.
std::vector<Grid> moved(const Step& step, std::vector<Grid> inputs, const std::vector<SourceCells>& sources,
                        bool those, int only_input = -1) {
  for (int input = 0; input < static_cast<int>(inputs.size()); ++input) {
    if (!is_number(step.inputs[static_cast<std::size_t>(input)])) continue;
    if (only_input >= 0 && input != only_input) continue;
    Grid& grid = inputs[static_cast<std::size_t>(input)];
    for (int i = 0; i < grid.rows; ++i) {
      for (int j = 0; j < grid.columns; ++j) {
        bool source = false;
        for (const SourceCells& cells : sources)
          source = source || (cells.input == input && inside(cells, i, j));
        if (source == those) grid.at(i, j) += 0.25 + 0.01 * (i + 3 * j);
      }
    }
  }
  return inputs;
}

}  // namespace

TEST_CASE("a cell depends on its sources and on nothing else") {
  // By step and input: whether moving the sources ever moved the cell. A ReLU may be shut, a score hidden.
  std::map<std::pair<StepKind, int>, bool> counts;
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 31);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    const StepSettings settings{.sizes = numbers.sizes(),
                                .source = numbers.ids("source"),
                                .target_in = numbers.ids("target_in"),
                                .target_out = numbers.ids("target_out")};
    Random random(32);
    for (const Step& step : training_steps(each.config)) {
      CAPTURE(step.name);
      CAPTURE(step.output.name);
      std::vector<Grid> inputs;
      for (const Operand& input : step.inputs) inputs.push_back(grid_of(numbers.of(input)));
      const Grid output = recompute(step, inputs, settings)[0];
      // Few rows of a shared table belong to words of the sentence.
      const int attempts = step.kind == StepKind::d_shared_table ? 60 : 2;
      for (int attempt = 0; attempt < attempts; ++attempt) {
        const int row = random.below(output.rows), column = random.below(output.columns);
        const auto sources = sources_of(step, row, column, numbers);
        for (const SourceCells& cells : sources) {
          const Grid& input = inputs[static_cast<std::size_t>(cells.input)];
          REQUIRE(cells.first_row >= 0);
          REQUIRE(cells.first_column >= 0);
          REQUIRE(cells.first_row + cells.rows <= input.rows);
          REQUIRE(cells.first_column + cells.columns <= input.columns);
        }
        const auto cell_of = [&](const std::vector<Grid>& in) {
          return recompute(step, in, settings)[0].at(row, column);
        };
        CHECK(cell_of(moved(step, inputs, sources, false)) == output.at(row, column));
        for (int input = 0; input < static_cast<int>(inputs.size()); ++input) {
          if (!is_number(step.inputs[static_cast<std::size_t>(input)])) continue;
          bool& moves = counts[{step.kind, input}];
          moves = moves || cell_of(moved(step, inputs, sources, true, input)) != output.at(row, column);
        }
      }
    }
  }
  CHECK(counts.size() > 80);
  for (const auto& [which, moves] : counts) {
    const auto& this_one = which;
    CAPTURE(static_cast<int>(this_one.first));
    CAPTURE(this_one.second);
    CHECK(moves);
  }
}

TEST_CASE("from any number the way back ends at weights and ids") {
  for (const NamedConfig& each : step_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 33);
    const Trace trace = step_trace(model);
    const StepNumbers numbers(model, trace);
    const std::vector<Step> steps = training_steps(each.config);
    Random random(34);
    for (int walk = 0; walk < 40; ++walk) {
      const Step& last = steps[static_cast<std::size_t>(random.below(static_cast<int>(steps.size())))];
      StoredCell cell = stored_cell(last.output, random.below(numbers.of(last.output).rows),
                                    random.below(numbers.of(last.output).columns), each.config);
      const Step* before = steps.data() + steps.size();
      bool ended = false;
      for (int back = 0; back < 400 && !ended; ++back) {
        CAPTURE(cell.name);
        const Maker maker = maker_of(cell, steps, numbers.sizes());
        if (maker.step == nullptr) {
          CHECK((cell.store == OperandStore::parameter || cell.store == OperandStore::mask));
          ended = true;
          break;
        }
        CHECK(maker.step < before);
        before = maker.step;
        const auto sources = maker.also < 0 ? sources_of(*maker.step, maker.row, maker.column, numbers)
                                            : std::vector<SourceCells>{};
        ended = sources.empty();
        if (ended) break;
        const SourceCells& next =
            sources[static_cast<std::size_t>(random.below(static_cast<int>(sources.size())))];
        cell = stored_cell(maker.step->inputs[static_cast<std::size_t>(next.input)],
                           next.first_row + random.below(next.rows),
                           next.first_column + random.below(next.columns), each.config);
      }
      CHECK(ended);
    }
  }
}

TEST_CASE("the number in a source cell is the number that the maker made") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 35);
  const Trace trace = step_trace(model);
  const StepNumbers numbers(model, trace);
  const std::vector<Step> steps = training_steps(config);
  for (const Step& step : steps) {
    for (const Operand& input : step.inputs) {
      if (input.store == OperandStore::parameter || input.store == OperandStore::mask) continue;
      CAPTURE(step.name);
      CAPTURE(input.name);
      const OperandNumbers table = numbers.of(input);
      const int row = table.rows - 1, column = table.columns / 2;
      const Maker maker = maker_of(stored_cell(input, row, column, config), steps, numbers.sizes());
      REQUIRE(maker.step != nullptr);
      const Operand& made =
          maker.also < 0 ? maker.step->output : maker.step->also[static_cast<std::size_t>(maker.also)];
      CHECK(numbers.of(made)(maker.row, maker.column) == table(row, column));
    }
  }
}
