#include "engine/train/step_series.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

using namespace glassformer;

namespace {

StepSeries noisy_series(int points, std::vector<StepPoint>& plain) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> noise(-1, 1);
  StepSeries series;
  for (int i = 0; i < points; ++i) {
    plain.push_back({noise(generator), noise(generator), std::round(noise(generator)), noise(generator)});
    series.push_back(plain.back());
  }
  return series;
}

}  // namespace

TEST_CASE("a series gives its points back, one by one and in order") {
  std::vector<StepPoint> plain;
  const StepSeries series = noisy_series(1000, plain);
  REQUIRE(series.size() == 1000);
  std::size_t i = 0;
  for (const StepPoint& point : series) {
    CHECK(point.loss == plain[i].loss);
    CHECK(series[i].tokens_per_s == plain[i].tokens_per_s);
    ++i;
  }
  CHECK(i == 1000);
  CHECK(series.back().loss == plain.back().loss);
  CHECK_THROWS_AS(series.at(1000), std::out_of_range);
  CHECK(StepSeries().empty());
}

TEST_CASE("the extremes of any range are those that a look at every point finds") {
  std::vector<StepPoint> plain;
  const StepSeries series = noisy_series(1500, plain);
  std::mt19937 generator(9);
  for (const auto value : {&StepPoint::loss, &StepPoint::gradient_norm, &StepPoint::tokens_per_s}) {
    for (int trial = 0; trial < 300; ++trial) {
      const std::size_t from = generator() % 1500, to = from + 1 + generator() % (1500 - from);
      std::size_t low = from, high = from;
      for (std::size_t i = from; i < to; ++i) {
        if (plain[i].*value < plain[low].*value) low = i;
        if (plain[i].*value > plain[high].*value) high = i;
      }
      const auto found = series.extremes(value, from, to);
      CHECK(found.low == low);
      CHECK(found.high == high);
    }
  }
}

TEST_CASE("a value that is no number hides no other") {
  StepSeries series;
  for (int i = 0; i < 700; ++i)
    series.push_back({i == 0 || i == 256 ? std::nanf("") : static_cast<float>(i % 50)});
  for (const std::size_t from : {0, 256, 100}) {
    const auto found = series.extremes(&StepPoint::loss, from, 700);
    CHECK(series[found.low].loss == 0);
    CHECK(series[found.high].loss == 49);
  }
}

TEST_CASE("a copy shares what is full and is not changed by what comes later") {
  std::vector<StepPoint> plain;
  StepSeries series = noisy_series(600, plain);
  const StepSeries copy = series;
  CHECK(&copy[10] == &series[10]);
  series.push_back({7, 7, 7, 7});
  CHECK(copy.size() == 600);
  CHECK(series.back().loss == 7);
  CHECK(copy.back().loss == plain.back().loss);
}
