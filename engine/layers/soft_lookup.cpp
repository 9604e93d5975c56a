#include "engine/layers/soft_lookup.h"

#include <limits>
#include <string>

#include "engine/math/error.h"
#include "engine/math/softmax.h"

namespace glassformer {

namespace {

using Column = Eigen::Map<const Eigen::VectorXd>;

int best_of(const LookupScores& scores, const Matrix<double>& values) {
  const auto count = std::ssize(scores.scores);
  if (count == 0 || values.rows() != count || scores.d_scores.rows() != count)
    throw Error("lookup", "expected as many scores as values and at least one, got " + std::to_string(count) +
                              " and " + std::to_string(values.rows()));
  const int best = arg_max(scores.scores.data(), static_cast<int>(count));
  if (scores.scores[static_cast<std::size_t>(best)] == -std::numeric_limits<double>::infinity())
    throw Error("lookup", "every key is hidden; at least one must be seen");
  return best;
}

}  // namespace

LookupScores nearness(double query, std::span<const double> keys) {
  LookupScores result;
  result.d_scores.resize(std::ssize(keys), 1);
  for (const double key : keys) {
    result.d_scores(std::ssize(result.scores), 0) = key - query;
    result.scores.push_back(-(query - key) * (query - key) / 2);
  }
  return result;
}

LookupScores likeness(std::span<const double> query, const Matrix<double>& keys, double scale) {
  if (std::ssize(query) != keys.cols())
    throw Error("lookup", "expected a query of " + std::to_string(keys.cols()) + " numbers, got " +
                              std::to_string(query.size()));
  LookupScores result{.scores = std::vector<double>(static_cast<std::size_t>(keys.rows())),
                      .d_scores = scale * keys};
  Eigen::Map<Eigen::VectorXd>(result.scores.data(), keys.rows()) =
      result.d_scores * Column(query.data(), keys.cols());
  return result;
}

Lookup hard_lookup(const LookupScores& scores, const Matrix<double>& values) {
  Lookup result{.best = best_of(scores, values),
                .weights = std::vector<double>(scores.scores.size(), 0.0),
                .answer = {},
                .slope = Matrix<double>::Zero(values.cols(), scores.d_scores.cols())};
  result.weights[static_cast<std::size_t>(result.best)] = 1;
  const auto row = values.row(result.best);
  result.answer.assign(row.begin(), row.end());
  return result;
}

Lookup soft_lookup(const LookupScores& scores, const Matrix<double>& values, double temperature) {
  if (!(temperature > 0)) throw Error("lookup", "the temperature must be above 0");
  Lookup result{.best = best_of(scores, values), .weights = scores.scores, .answer = {}, .slope = {}};
  for (double& each : result.weights) each /= temperature;
  softmax(result.weights.data(), static_cast<int>(result.weights.size()));
  const Column weights(result.weights.data(), std::ssize(result.weights));

  const RowVector<double> answer = weights.transpose() * values;  // (1, m)
  result.answer.assign(answer.begin(), answer.end());

  // A weight grows by as much as its score grows more than the mean score:
  // d answer / d query = sum of w_i (v_i - answer)^T d_score_i / temperature.
  result.slope =
      (values.rowwise() - answer).transpose() * weights.asDiagonal() * scores.d_scores / temperature;
  return result;
}

}  // namespace glassformer
