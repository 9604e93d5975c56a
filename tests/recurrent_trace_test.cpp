#include "engine/recurrent/recurrent_trace.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/recurrent_helpers.h"

using namespace glassformer;

namespace {

using Numbers = std::vector<double>;

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// W x + b of one row of W, in double.
double product(const Matrix<double>& weight, const RowVector<double>& bias, int row, const Numbers& x) {
  double sum = bias(row);
  for (std::size_t i = 0; i < x.size(); ++i) sum += weight(row, static_cast<Eigen::Index>(i)) * x[i];
  return sum;
}

// One step by its formulas, and what the trace has of it.
Numbers step_by_hand(const Gru<double>& layer, const Numbers& x, const Numbers& h, const GruTrace& trace,
                     int word) {
  const auto d = static_cast<int>(h.size());
  Numbers next(h.size());
  for (int i = 0; i < d; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double r = sigmoid(product(layer.input_weight, layer.input_bias, i, x) +
                             product(layer.state_weight, layer.state_bias, i, h)),
                 z = sigmoid(product(layer.input_weight, layer.input_bias, d + i, x) +
                             product(layer.state_weight, layer.state_bias, d + i, h)),
                 n = std::tanh(product(layer.input_weight, layer.input_bias, 2 * d + i, x) +
                               r * product(layer.state_weight, layer.state_bias, 2 * d + i, h));
    next[at] = (1 - z) * n + z * h[at];
    CHECK(trace.previous(word, i) == doctest::Approx(h[at]).epsilon(1e-4).scale(0.01));
    CHECK(trace.gates(word, i) == doctest::Approx(r).epsilon(1e-4));
    CHECK(trace.gates(word, d + i) == doctest::Approx(z).epsilon(1e-4));
    CHECK(trace.gates(word, 2 * d + i) == doctest::Approx(n).epsilon(1e-4).scale(0.01));
    CHECK(trace.output(word, i) == doctest::Approx(next[at]).epsilon(1e-4).scale(0.01));
  }
  return next;
}

Numbers row_of(const Matrix<double>& matrix, int row) {
  Numbers numbers;
  for (Eigen::Index i = 0; i < matrix.cols(); ++i) numbers.push_back(matrix(row, i));
  return numbers;
}

}  // namespace

TEST_CASE("every state, gate and weight of a sentence is that of the formulas, worked out in double") {
  for (const NamedRecurrentConfig& each : recurrent_configs()) {
    CAPTURE(each.name);
    const auto model = random_recurrent_model<float>(each.config, 5);
    const auto exact = model.cast<double>();
    const std::vector<int> source{4, 7, 5, 4, each.config.eos_id}, target_in{each.config.bos_id, 6, 5};
    const RecurrentTrace seen = trace(model, source, target_in);
    REQUIRE(seen.encoder.size() == 2);
    REQUIRE(seen.decoder.size() == 2);

    const auto d = static_cast<std::size_t>(each.config.width);
    std::vector<Numbers> states(2, Numbers(d, 0)), memory;
    for (std::size_t word = 0; word < source.size(); ++word) {
      Numbers x = row_of(exact.source_embedding, source[word]);
      for (std::size_t layer = 0; layer < 2; ++layer)
        x = states[layer] =
            step_by_hand(exact.encoder[layer], x, states[layer], seen.encoder[layer], int(word));
      memory.push_back(x);
    }
    for (std::size_t i = 0; i < d; ++i)
      CHECK(seen.handed_over(static_cast<Eigen::Index>(i)) == doctest::Approx(states[1][i]).epsilon(1e-4));

    CHECK(seen.weights.rows() == (each.config.attends() ? 3 : 0));
    for (std::size_t word = 0; word < target_in.size(); ++word) {
      Numbers x = row_of(exact.target_embedding, target_in[word]);
      for (std::size_t layer = 0; layer < 2; ++layer)
        x = states[layer] =
            step_by_hand(exact.decoder[layer], x, states[layer], seen.decoder[layer], int(word));
      if (!each.config.attends()) continue;
      Numbers shares;
      double sum = 0;
      for (const Numbers& key : memory) {
        double score = 0;
        if (each.config.recurrent_attention == RecurrentAttention::dot) {
          for (std::size_t i = 0; i < d; ++i) score += x[i] * key[i];
        } else {
          for (int i = 0; i < each.config.width; ++i) {
            double inside = 0;
            for (std::size_t j = 0; j < d; ++j)
              inside += exact.attention.query_weight(i, static_cast<Eigen::Index>(j)) * x[j] +
                        exact.attention.key_weight(i, static_cast<Eigen::Index>(j)) * key[j];
            score += exact.attention.score_weight(i) * std::tanh(inside);
          }
        }
        shares.push_back(std::exp(score));
        sum += shares.back();
      }
      for (std::size_t key = 0; key < shares.size(); ++key)
        CHECK(seen.weights(static_cast<Eigen::Index>(word), static_cast<Eigen::Index>(key)) ==
              doctest::Approx(shares[key] / sum).epsilon(1e-4));
    }
  }
}
