#include "engine/layers/soft_lookup.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/math/error.h"
#include "engine/math/random.h"

using namespace glassformer;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix<double> random_matrix(Random& random, int rows, int columns) {
  Matrix<double> matrix(rows, columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) matrix(row, column) = random.normal();
  return matrix;
}

double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

const std::array<double, 4> kKeys{1, 2, 4, 7};

Matrix<double> line_values() {
  Matrix<double> values(4, 1);
  values << 10, -3, 5, 8;
  return values;
}

}  // namespace

TEST_CASE("the slope of a soft answer agrees with finite differences, on a line and with vectors") {
  const Matrix<double> on_line = line_values();
  constexpr double kStep = 1e-5;
  for (const double temperature : {0.3, 1.0, 8.0}) {
    for (const double query : {0.0, 1.6, 3.0, 6.5}) {
      const auto answer = [&](double q) {
        return soft_lookup(nearness(q, kKeys), on_line, temperature).answer.at(0);
      };
      const double expected = (answer(query + kStep) - answer(query - kStep)) / (2 * kStep);
      const Lookup lookup = soft_lookup(nearness(query, kKeys), on_line, temperature);
      CHECK(lookup.slope(0, 0) == doctest::Approx(expected).epsilon(1e-6));
    }

    Random random(3);
    const Matrix<double> keys = random_matrix(random, 5, 3), values = random_matrix(random, 5, 2);
    std::vector<double> query{0.4, -1.1, 0.7};
    const auto lookup = [&] { return soft_lookup(likeness(query, keys, 0.6), values, temperature); };
    const Matrix<double> slope = lookup().slope;
    REQUIRE(slope.rows() == 2);
    REQUIRE(slope.cols() == 3);
    for (int column = 0; column < 3; ++column) {
      double& nudged = query[static_cast<std::size_t>(column)];
      const double before = nudged;
      nudged = before + kStep;
      const std::vector<double> above = lookup().answer;
      nudged = before - kStep;
      const std::vector<double> below = lookup().answer;
      nudged = before;
      for (int row = 0; row < 2; ++row) {
        const auto at = static_cast<std::size_t>(row);
        CHECK(slope(row, column) == doctest::Approx((above[at] - below[at]) / (2 * kStep)).epsilon(1e-6));
      }
    }
    CHECK(lookup().slope_size() == doctest::Approx(slope.norm()));
  }
}

TEST_CASE("a hard answer stays the same around every query but the halfway ones, so its slope is 0") {
  const Matrix<double> values = line_values();
  for (const double query : {-2.0, 1.49, 1.51, 2.9, 3.1, 40.0}) {
    const Lookup lookup = hard_lookup(nearness(query, kKeys), values);
    CHECK(lookup.slope(0, 0) == 0);
    for (const double nudge : {-0.005, 0.005})
      CHECK(hard_lookup(nearness(query + nudge, kKeys), values).answer == lookup.answer);
    CHECK(sum(lookup.weights) == 1);
  }
  CHECK(hard_lookup(nearness(1.49, kKeys), values).answer !=
        hard_lookup(nearness(1.51, kKeys), values).answer);
}

TEST_CASE("a temperature near 0 gives the best value, a large one the mean, and weights always add up to 1") {
  const Matrix<double> values = line_values();
  const LookupScores scores = nearness(3.2, kKeys);
  const Lookup cold = soft_lookup(scores, values, 0.01), hot = soft_lookup(scores, values, 1e6);
  CHECK(cold.answer[0] == doctest::Approx(hard_lookup(scores, values).answer[0]));
  CHECK(cold.best == 2);
  CHECK(cold.weights[2] == doctest::Approx(1));
  CHECK(hot.answer[0] == doctest::Approx(values.mean()).epsilon(1e-4));
  double last = 1;
  for (const double temperature : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const Lookup lookup = soft_lookup(scores, values, temperature);
    CHECK(sum(lookup.weights) == doctest::Approx(1));
    CHECK(lookup.weights[2] <= last);  // ever less sure
    last = lookup.weights[2];
  }
  // By hand: two keys, one apart.
  const Lookup two = soft_lookup(nearness(0, std::array{0.0, 1.0}), values.topRows(2), 0.5);
  CHECK(two.weights[0] == doctest::Approx(1 / (1 + std::exp(-1.0))));
}

TEST_CASE("a hidden key gets no weight at any temperature") {
  const LookupScores scores{.scores = {2, -kInfinity, 1}, .d_scores = Matrix<double>::Zero(3, 1)};
  Matrix<double> values(3, 1);
  values << 1, 100, 3;
  for (const double temperature : {0.01, 1.0, 1e6}) {
    const Lookup lookup = soft_lookup(scores, values, temperature);
    CHECK(lookup.weights[1] == 0);
    CHECK(lookup.answer[0] <= 3);
  }
}

TEST_CASE("what cannot be looked up is refused with words") {
  const Matrix<double> values = line_values();
  const LookupScores scores = nearness(3, kKeys);
  CHECK_THROWS_AS(soft_lookup(scores, values, 0), Error);
  CHECK_THROWS_AS(soft_lookup(scores, values.topRows(3), 1), Error);
  CHECK_THROWS_AS(hard_lookup(nearness(3, {}), Matrix<double>(0, 1)), Error);
  CHECK_THROWS_AS(likeness(std::array{1.0}, Matrix<double>::Zero(2, 3), 1), Error);
  const LookupScores hidden{.scores = {-kInfinity}, .d_scores = Matrix<double>::Zero(1, 1)};
  CHECK_THROWS_AS(hard_lookup(hidden, values.topRows(1)), Error);
}
