// The arithmetic that the steps are checked with, and that no two steps share it by mistake.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "step_grids.h"

namespace glassformer {
namespace {

using namespace step_grids;

}  // namespace

Grid grid_of(const OperandNumbers& numbers) {
  REQUIRE(numbers.recorded());
  return make(numbers.rows, numbers.columns,
              [&](int i, int j) { return static_cast<double>(numbers(i, j)); });
}

std::vector<Grid> recompute(const Step& step, const std::vector<Grid>& in, const StepSettings& settings) {
  using enum StepKind;
  const Config& config = settings.sizes.config;
  const int rows = settings.sizes.of(step.output.rows), columns = settings.sizes.of(step.output.columns);
  const double root_d = std::sqrt(static_cast<double>(config.d_model));
  const double root_k = std::sqrt(static_cast<double>(config.head_width()));
  const double words = config.target_vocab, e = settings.smoothing;
  const auto real = [&](const Grid& ids, int i) { return static_cast<int>(ids.at(i, 0)) != config.pad_id; };
  const auto count = [&](const Grid& ids) {
    return sum(ids.rows, [&](int i) { return real(ids, i) ? 1.0 : 0.0; });
  };
  const AdamOptions& adam = settings.adam.options;
  const auto s = static_cast<double>(settings.adam.step);
  const auto one = [&](double x) { return std::vector<Grid>{make(1, 1, [&](int, int) { return x; })}; };

  switch (step.kind) {
    case tokenize:
      return {id_column(settings.source)};
    case shift_target: {
      // bos first, and the right words but the last.
      std::vector<int> shifted = {config.first_id()};
      shifted.insert(shifted.end(), settings.target_out.begin(), settings.target_out.end() - 1);
      return {id_column(shifted), id_column(settings.target_out)};
    }
    case look_up:
      return {
          make(rows, columns, [&](int i, int j) { return in[1].at(static_cast<int>(in[0].at(i, 0)), j); })};
    case scale_embedding:
    case d_scale_embedding:
      return {each(in[0], [&](double x) { return x * root_d; })};
    case sinusoids:
      return {make(rows, columns, [&](int pos, int j) {
        const double angle = pos / std::pow(10000.0, 2 * (j / 2) / static_cast<double>(config.d_model));
        return j % 2 == 0 ? std::sin(angle) : std::cos(angle);
      })};
    case sinusoids_of_form:  // sines before cosines, by d - 2: the one form of the cases
      return {make(rows, columns, [&](int pos, int j) {
        const int sines = (config.d_model + 1) / 2, i = j < sines ? j : j - sines;
        const double angle = pos / std::pow(10000.0, 2 * i / static_cast<double>(config.d_model - 2));
        return j < sines ? std::sin(angle) : std::cos(angle);
      })};
    case learned_positions:
      return {make(rows, columns, [&](int i, int j) { return in[0].at(i, j); })};
    case add_positions:
    case add:
    case padding_mask:
    case causal_mask:
    case distance_mask:
    case causal_distance_mask:
      return {plus(in[0], in[1])};
    case layer_norm:
    case final_norm:
      return normalize(in, config.layer_norm_eps);
    case dropout:
    case hand_on:
    case keep_scores:
    case memory:
    case decoder_output:
    case d_hand_on:
    case d_add:
    case d_concat:
    case d_keep_scores:
    case d_add_positions:
    case d_position_signal:
    case chosen_gradient:
    case no_clip:
      return {in[0]};
    case query:
    case key:
    case value:
    case memory_key:
    case memory_value:
    case project_heads:
    case expand:
    case expand_gate:
    case expand_value:
    case contract:
    case logits:
    case shared_logits:
      return {product_with_bias(in)};
    case rotate:
    case d_rotate: {
      const double way = step.kind == rotate ? 1 : -1;
      return {make(rows, columns, [&](int pos, int j) {
        const int i = j / 2;
        const double angle = way * pos / std::pow(10000.0, 2.0 * i / config.head_width());
        const double x = in[0].at(pos, 2 * i), y = in[0].at(pos, 2 * i + 1);
        return j % 2 == 0 ? x * std::cos(angle) - y * std::sin(angle)
                          : x * std::sin(angle) + y * std::cos(angle);
      })};
    }
    case dot_products:
    case d_weighted_sum:
      return {product(in[0], transposed(in[1]))};
    case scale_scores:
    case d_scale_scores:
      return {each(in[0], [&](double x) { return x / root_k; })};
    case softmax:
      return {softmax_of_rows(in[0])};
    case relu_weights:
      return {by_seen(in[1], [&](int i, int j) { return std::max(0.0, in[0].at(i, j)); })};
    case d_relu_weights:
      return {by_seen(in[2], [&](int i, int j) { return in[1].at(i, j) > 0 ? in[0].at(i, j) : 0; })};
    case weighted_sum:
    case d_logits:
    case d_product:
    case d_contract:
    case d_project_heads:
    case d_query:
      return {product(in[0], in[1])};
    case concat: {
      const int width = in[0].columns;
      return {make(rows, columns,
                   [&](int i, int j) { return in[static_cast<std::size_t>(j / width)].at(i, j % width); })};
    }
    case relu:
      return {each(in[0], [](double x) { return x > 0 ? x : 0; })};
    case gelu:
      return {each(in[0], [](double x) { return x * below(x); })};
    case swish:
      return {each(in[0], [](double x) { return x * sigmoid(x); })};
    case gelu_sigmoid:
      return {each(in[0], [](double x) { return x * sigmoid(1.702 * x); })};
    case gated:
    case d_gated_value:
      return {with(in[0], in[1], [](double gate, double x) { return gate * sigmoid(gate) * x; })};
    case d_gate:
      return {make(rows, columns, [&](int i, int j) {
        const double gate = in[1].at(i, j), open = sigmoid(gate);
        return in[0].at(i, j) * in[2].at(i, j) * (open + gate * open * (1 - open));
      })};
    case log_softmax:
      return {log_softmax_of_rows(in[0])};
    case smooth_target:
      return {make(rows, columns, [&](int i, int j) {
        if (!real(in[0], i)) return 0.0;
        return (j == static_cast<int>(in[0].at(i, 0)) ? 1 - e : 0) + e / words;
      })};
    case token_loss:
      return {make(rows, 1, [&](int i, int) {
        return -sum(in[0].columns, [&](int j) { return in[0].at(i, j) * in[1].at(i, j); });
      })};
    case mean_loss:
      return one(sum(in[0].rows, [&](int i) { return real(in[1], i) ? in[0].at(i, 0) : 0; }) / count(in[1]));
    case d_mean_loss:
      return {make(rows, 1, [&](int i, int) { return real(in[0], i) ? 1 / count(in[0]) : 0; })};
    case d_token_loss:
      return {make(rows, columns, [&](int i, int j) { return -in[0].at(i, 0) * in[1].at(i, j); })};
    case d_log_softmax:
      return {make(rows, columns, [&](int i, int j) {
        return in[0].at(i, j) -
               std::exp(in[1].at(i, j)) * sum(in[0].columns, [&](int c) { return in[0].at(i, c); });
      })};
    case d_weight:
      return {product(transposed(in[0]), in[1]), column_sums(in[0])};
    case d_bias:
      return {column_sums(in[0])};
    case rms_norm:
    case final_rms_norm:
      return divide_by_rms(in, config.layer_norm_eps);
    case d_rms_norm:
    case d_rms_norm_and_stream:
      return rms_norm_backward(in);
    case d_norm:
    case d_norm_and_stream:
      return layer_norm_backward(in);
    case d_product_and_stream:
    case d_attention_input_and_stream:
    case d_gated_input_and_stream:
      return {plus(in[0], sum_of_products(in, 1))};
    case d_attention_input:
    case d_gated_input:
    case d_memory:
      return {sum_of_products(in, 0)};
    case d_relu:
      return {with(in[0], in[1], [](double d, double x) { return x > 0 ? d : 0; })};
    case d_gelu:
      return {with(in[0], in[1], [](double d, double x) { return d * (below(x) + x * density(x)); })};
    case d_swish:
      return {
          with(in[0], in[1], [](double d, double x) { return d * sigmoid(x) * (1 + x * (1 - sigmoid(x))); })};
    case d_gelu_sigmoid:
      return {with(in[0], in[1], [](double d, double x) {
        const double share = sigmoid(1.702 * x);
        return d * share * (1 + 1.702 * x * (1 - share));
      })};
    case d_value:
    case d_key:
      return {product(transposed(in[0]), in[1])};
    case d_softmax:
      return {make(rows, columns, [&](int i, int j) {
        const double mean = sum(columns, [&](int c) { return in[0].at(i, c) * in[1].at(i, c); });
        return in[0].at(i, j) * (in[1].at(i, j) - mean);
      })};
    case d_mask:
      return {with(in[0], in[1], [](double d, double mask) { return std::isinf(mask) ? 0 : d; })};
    case d_learned_positions:
      return {make(rows, columns, [&](int i, int j) { return i < in[0].rows ? in[0].at(i, j) : 0; })};
    case d_look_up:
      return {by_word(in[0], in[1], rows)};
    case d_shared_table: {
      Grid table = plus(product(transposed(in[0]), in[1]), by_word(in[2], in[3], rows));
      return {in.size() > 4 ? plus(table, by_word(in[4], in[5], rows)) : table};
    }
    case gradient_norm:
      return one(settings.gradient_norm);
    case clip:
      return one(in[0].at(0, 0) * std::min(1.0, settings.clip / (in[1].at(0, 0) + 1e-6)));
    case noam_rate:
    case constant_rate:
    case linear_rate:
    case cosine_rate:
      return one(settings.schedule.rate(settings.adam.step));
    case first_moment:
      return one(adam.beta1 * in[0].at(0, 0) + (1 - adam.beta1) * in[1].at(0, 0));
    case second_moment:
      return one(adam.beta2 * in[0].at(0, 0) + (1 - adam.beta2) * std::pow(in[1].at(0, 0), 2));
    case correct_first:
      return one(in[0].at(0, 0) / (1 - std::pow(adam.beta1, s)));
    case correct_second:
      return one(in[0].at(0, 0) / (1 - std::pow(adam.beta2, s)));
    case new_weight:
      return one(in[0].at(0, 0) - in[1].at(0, 0) * in[2].at(0, 0) / (std::sqrt(in[3].at(0, 0)) + adam.eps));
  }
  return {};
}

}  // namespace glassformer

using namespace glassformer;

TEST_CASE("the softmax that steps are checked with is shares of a whole, and 0 where all is hidden") {
  const Config config;
  const StepSizes sizes{config, 2, 2};
  Step step;
  step.kind = StepKind::softmax;
  step.output.rows = step.output.columns = Extent::source;
  Grid scores(2, 2);
  scores.values = {std::log(3.0), 0, -INFINITY, -INFINITY};
  const Grid weights = recompute(step, {scores}, {sizes})[0];
  CHECK(weights.at(0, 0) == doctest::Approx(0.75));
  CHECK(weights.at(0, 1) == doctest::Approx(0.25));
  CHECK(weights.at(1, 0) == 0);
}
