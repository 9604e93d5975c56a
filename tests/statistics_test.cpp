#include "engine/analysis/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/math/error.h"

using namespace glassformer;

namespace {

Plane plane(const std::vector<float>& values, int rows, int columns) {
  return {values.data(), rows, columns};
}

}  // namespace

TEST_CASE("a summary gives mean, deviation, norm and range, and leaves out what is not finite") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values{1, -2, 4, nan, 1};
  const Summary summary = summarize(values);
  CHECK(summary.count == 5);
  CHECK(summary.not_finite == 1);
  CHECK(summary.mean == doctest::Approx(1));
  CHECK(summary.deviation == doctest::Approx(std::sqrt(18.0 / 4)));
  CHECK(summary.norm == doctest::Approx(std::sqrt(22.0)));
  CHECK(summary.smallest == -2);
  CHECK(summary.largest == 4);
  CHECK(summarize(std::vector<float>{}).norm == 0);
}

TEST_CASE("the mean of large equal numbers leaves no deviation") {
  const std::vector<float> values(1000, 1e6f);
  CHECK(summarize(values).deviation == doctest::Approx(0));
}

TEST_CASE("a histogram is symmetric about zero and counts every finite number once") {
  const std::vector<float> values{-1, -0.5f, 0.1f, 0.2f, 2, std::numeric_limits<float>::infinity()};
  const Histogram histogram = symmetric_histogram(values, 4);  // borders -2 -1 0 1 2
  CHECK(histogram.low == -2);
  CHECK(histogram.high == 2);
  CHECK(histogram.counts == std::vector<long>{0, 2, 2, 1});
  CHECK(histogram.largest() == 2);
  CHECK(symmetric_histogram(std::vector<float>(3, 0.0f), 3).counts == std::vector<long>{0, 3, 0});
  CHECK_THROWS_AS(symmetric_histogram(values, 0), Error);
}

TEST_CASE("the nearest rows are those with the smallest angle, whatever their length") {
  const std::vector<float> rows{1,  0,     // the chosen row
                                5,  0.5f,  // nearly the same direction, long
                                0,  1,     // at a right angle
                                -1, 0,     // opposite
                                0,  0};    // no direction
  const auto found = nearest_by_cosine(plane(rows, 5, 2), 0, 10);
  REQUIRE(found.size() == 4);
  CHECK(found[0].row == 1);
  CHECK(found[0].cosine == doctest::Approx(5 / std::sqrt(25.25)));
  CHECK(found[1].row == 2);  // ties go to the lower row
  CHECK(found[2].row == 4);
  CHECK(found[3].row == 3);
  CHECK(found[3].cosine == doctest::Approx(-1));
  CHECK(nearest_by_cosine(plane(rows, 5, 2), 0, 1).size() == 1);
  CHECK_THROWS_AS(nearest_by_cosine(plane(rows, 5, 2), 5, 1), Error);
}

TEST_CASE("principal components find the long axis of an ellipse turned in space") {
  // Points of an ellipse with half-axes 4 and 1 in the plane of u and v, which stand at right angles in 3
  // dimensions.
  const double u[3] = {2.0 / 3, 2.0 / 3, 1.0 / 3}, v[3] = {-2.0 / 3, 1.0 / 3, 2.0 / 3};
  const int count = 200;
  std::vector<float> rows;
  for (int i = 0; i < count; ++i) {
    const double t = 2 * std::numbers::pi * i / count;
    for (int c = 0; c < 3; ++c)
      rows.push_back(static_cast<float>(7 + 4 * std::cos(t) * u[c] + std::sin(t) * v[c]));
  }
  const Projection projection = principal_components(plane(rows, count, 3), 3);
  CHECK(projection.explained[0] == doctest::Approx(16.0 / 17).epsilon(1e-4));
  CHECK(projection.explained[1] == doctest::Approx(1.0 / 17).epsilon(1e-4));
  CHECK(projection.explained[2] == doctest::Approx(0).epsilon(1e-4));
  for (int i = 0; i < count; ++i) {
    const double t = 2 * std::numbers::pi * i / count;
    CHECK(projection.at(i, 0) == doctest::Approx(4 * std::cos(t)).epsilon(1e-3));
    CHECK(std::abs(projection.at(i, 1)) == doctest::Approx(std::abs(std::sin(t))).epsilon(1e-3));
  }
}

TEST_CASE("a table without variance or with one row is projected to zero") {
  const std::vector<float> same(12, 3.0f);
  const Projection flat = principal_components(plane(same, 4, 3));
  CHECK(flat.coordinates == std::vector<float>(8, 0.0f));
  CHECK(flat.explained == std::vector<double>{0, 0});
  CHECK(principal_components(plane(same, 1, 3)).coordinates == std::vector<float>{0, 0});
}

TEST_CASE("a pooled table keeps the strongest number of every block, and small tables as they are") {
  const std::vector<float> values{1, -5, 2, 0,  //
                                  3, 4,  0, 1};
  const Pooled small = pooled(plane(values, 2, 4), 8, 8);
  CHECK(small.values == values);
  const Pooled halved = pooled(plane(values, 2, 4), 1, 2);
  CHECK(halved.rows == 1);
  CHECK(halved.values == std::vector<float>{-5, 2});
  std::vector<float> broken = values;
  broken[4] = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(pooled(plane(broken, 2, 4), 1, 2).values[0]));
  CHECK_THROWS_AS(pooled(plane(values, 2, 4), 0, 2), Error);
}
