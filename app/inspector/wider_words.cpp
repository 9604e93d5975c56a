#include "app/inspector/wider_words.h"

#include <cmath>
#include <functional>
#include <string>

#include "app/format/number_format.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

InspectorRow count_row(std::string label, long long count) {
  return {.label = std::move(label), .value = format_count(count)};
}

double normalized(const std::function<double(int)>& number, int count, int at, double eps) {
  double mean = 0, square = 0;
  for (int i = 0; i < count; ++i) mean += number(i) / count;
  for (int i = 0; i < count; ++i) square += (number(i) - mean) * (number(i) - mean) / count;
  return (number(at) - mean) / std::sqrt(square + eps);
}

// Batch normalisation of the same rows, as if the sentence were the batch.
InspectorSection beside_batch_norm(const Step& step, const StepNumbers& numbers,
                                   std::optional<RowAndColumn> chosen) {
  InspectorSection section{.heading = "Beside batch normalisation"};
  section.text =
      "LayerNorm takes mean and deviation over one row, so it does the same in training and in use, for one "
      "word and for many. Batch normalisation takes them over a column: a number would depend on the other "
      "words of the batch, and use would need means that were kept from training.";
  if (!chosen) return section;
  const OperandNumbers rows = numbers.of(step.inputs.front());
  const bool inside = rows.recorded() && chosen->row >= 0 && chosen->row < rows.rows && chosen->column >= 0 &&
                      chosen->column < rows.columns;
  if (!inside) return section;
  const Normalized both = normalized_both_ways(rows, *chosen, numbers.sizes().config.layer_norm_eps);
  section.note = "before γ and β";
  section.rows = {
      {.label = "over its row of " + std::to_string(rows.columns), .value = value_text(both.over_row)},
      {.label = "over its column of " + std::to_string(rows.rows), .value = value_text(both.over_column)}};
  if (rows.columns > 1)
    section.rows.push_back({.label = "a slip: n − 1, ε outside",
                            .value = value_text(both.slip),
                            .wrong = value_text(both.slip) != value_text(both.over_row)});
  section.text +=
      " A common slip divides the squares by n − 1 and adds ε to the root, as a deviation of a sample is "
      "written; LayerNorm divides by n and has ε under the root.";
  return section;
}

InspectorSection as_memory(const Step& step, const StepNumbers& numbers) {
  const bool first = step.kind == StepKind::expand;
  const std::string weights = plain_symbol(step.inputs[1].symbol);
  return {.heading = "As a memory",
          .text = "Geva et al. read the two products as a memory of " +
                  format_count(numbers.sizes().config.d_ff) + " entries. " +
                  (first ? "A row of " + weights +
                               " is the key of one: how well a word’s vector fits it is the number that "
                               "comes out here."
                         : "A column of " + weights +
                               " is the value of one: it is added to the word’s vector as often as its key "
                               "fitted.")};
}

}  // namespace

Normalized normalized_both_ways(const OperandNumbers& numbers, RowAndColumn at, double eps) {
  double mean = 0, squares = 0;
  for (int i = 0; i < numbers.columns; ++i) mean += static_cast<double>(numbers(at.row, i)) / numbers.columns;
  for (int i = 0; i < numbers.columns; ++i)
    squares += std::pow(static_cast<double>(numbers(at.row, i)) - mean, 2) / (numbers.columns - 1);
  return {.slip = (static_cast<double>(numbers(at.row, at.column)) - mean) / (std::sqrt(squares) + eps),
          .over_row = normalized([&](int column) { return static_cast<double>(numbers(at.row, column)); },
                                 numbers.columns, at.column, eps),
          .over_column = normalized([&](int row) { return static_cast<double>(numbers(row, at.column)); },
                                    numbers.rows, at.row, eps)};
}

InspectorSection cost_of_attention(int queries, int keys, const Config& config) {
  const long long scores = static_cast<long long>(queries) * keys;
  const std::string heads = std::to_string(config.heads), k = std::to_string(config.head_width());
  InspectorSection section{.heading = "What it costs"};
  section.rows = {
      count_row("scores of a head, " + std::to_string(queries) + " × " + std::to_string(keys), scores),
      count_row("products, " + heads + " heads of " + k, scores * config.head_width() * config.heads),
      count_row("products, one head of " + std::to_string(config.d_model), scores * config.d_model),
      count_row("scores, twice as many words", 4 * scores)};
  section.text =
      "Many small heads cost what one wide one costs. Twice as many words cost four times as much: "
      "O(n²). The paper trained its base model for 12 hours and its big one for 3.5 days on 8 NVIDIA P100.";
  return section;
}

std::vector<InspectorSection> wider_sections(const Step& step, const StepNumbers& numbers,
                                             std::optional<RowAndColumn> chosen) {
  switch (step.kind) {
    case StepKind::layer_norm:
    case StepKind::final_norm:
      return {beside_batch_norm(step, numbers, chosen)};
    case StepKind::expand:
    case StepKind::contract:
      if (chosen || feed_forward_traits(numbers.sizes().config.feed_forward).gated) return {};
      return {as_memory(step, numbers)};
    case StepKind::dot_products:
      if (chosen) return {};
      return {cost_of_attention(numbers.sizes().of(step.output.rows), numbers.sizes().of(step.output.columns),
                                numbers.sizes().config)};
    default:
      return {};
  }
}

}  // namespace glassformer
