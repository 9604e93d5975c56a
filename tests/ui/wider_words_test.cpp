// What is told of a step besides its arithmetic: costs, batch normalisation of the same rows, the memory.
#include "app/inspector/wider_words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/inspector/inspector.h"
#include "engine/model/steps/steps.h"
#include "tests/ui/printed_number.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

// By sums and sums of squares, unlike the engine's two passes.
double normalized_again(const std::vector<double>& values, std::size_t at, double eps) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value, squares += value * value;
  const double count = static_cast<double>(values.size()), mean = sum / count;
  return (values[at] - mean) / std::sqrt(squares / count - mean * mean + eps);
}

const InspectorSection* section_with(const std::vector<InspectorSection>& sections,
                                     const std::string& heading) {
  const auto found = std::ranges::find(sections, heading, &InspectorSection::heading);
  return found == sections.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a number is normalized over its row and over its column, as worked out another way") {
  const SampleScene scene = make_sample_scene();
  const StepNumbers numbers(*scene.snapshot->weights, *scene.result->trace);
  int seen = 0;
  for (const Step& step : training_steps(scene.snapshot->config)) {
    if (step.kind != StepKind::layer_norm) continue;
    const OperandNumbers input = numbers.of(step.inputs.front());
    REQUIRE(input.recorded());
    for (const RowAndColumn at : {RowAndColumn{0, 0}, RowAndColumn{input.rows - 1, input.columns / 2}}) {
      std::vector<double> row, column;
      for (int j = 0; j < input.columns; ++j) row.push_back(static_cast<double>(input(at.row, j)));
      for (int i = 0; i < input.rows; ++i) column.push_back(static_cast<double>(input(i, at.column)));
      const double eps = scene.snapshot->config.layer_norm_eps;
      const double over_row = normalized_again(row, static_cast<std::size_t>(at.column), eps);
      const double over_column = normalized_again(column, static_cast<std::size_t>(at.row), eps);
      const Normalized both = normalized_both_ways(input, at, eps);
      CHECK(both.over_row == doctest::Approx(over_row).epsilon(1e-4));
      CHECK(both.over_column == doctest::Approx(over_column).epsilon(1e-4));
      const auto sections = wider_sections(step, numbers, at);
      REQUIRE(sections.size() == 1);
      REQUIRE(sections[0].rows.size() == 3);
      const double n = static_cast<double>(row.size());
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
      const double sample = std::sqrt((squares - sum * sum / n) / (n - 1));
      CHECK(both.slip ==
            doctest::Approx((row[static_cast<std::size_t>(at.column)] - sum / n) / (sample + eps))
                .epsilon(1e-4));
      CHECK(sections[0].rows[2].value == value_text(both.slip));
      CHECK(sections[0].rows[0].value == value_text(both.over_row));
      CHECK(sections[0].rows[1].value == value_text(both.over_column));
      ++seen;
    }
    CHECK(wider_sections(step, numbers)[0].rows.empty());
    CHECK(wider_sections(step, numbers, RowAndColumn{input.rows, 0})[0].rows.empty());
  }
  CHECK(seen >= 4);
}

TEST_CASE("heads cost what one wide head costs, and twice as many words four times as much") {
  Config config;
  config.d_model = 24;
  config.heads = 3;
  const InspectorSection cost = cost_of_attention(5, 7, config);
  REQUIRE(cost.rows.size() == 4);
  CHECK(cost.rows[0].value == "35");
  CHECK(cost.rows[1].value == "840");
  CHECK(cost.rows[2].value == "840");
  CHECK(cost.rows[3].value == "140");
}

TEST_CASE(
    "both products of the feed-forward are read as a memory, and the overview of a head says its cost") {
  SampleScene scene = make_sample_scene();
  const StepNumbers numbers(*scene.snapshot->weights, *scene.result->trace);
  const std::string entries = std::to_string(scene.snapshot->config.d_ff) + " entries";
  int seen = 0;
  for (const Step& step : training_steps(scene.snapshot->config)) {
    if (step.kind != StepKind::expand && step.kind != StepKind::contract) continue;
    const auto sections = wider_sections(step, numbers);
    const InspectorSection* const memory = section_with(sections, "As a memory");
    REQUIRE(memory);
    CHECK(memory->text.find(entries) != std::string::npos);
    ++seen;
  }
  CHECK(seen == 2 * (scene.snapshot->config.encoder_layers + scene.snapshot->config.decoder_layers));
}

}  // namespace glassformer
