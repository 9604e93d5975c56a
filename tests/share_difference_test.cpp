// How much a share of pairs fell or rose, and between what bounds.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/model/what_if/loss_meter.h"
#include "engine/train/head_report.h"

using namespace glassformer;

TEST_CASE("a share never falls or rises by more than there is of it") {
  MeanLoss all, none, half;
  all.right = {1, 1, 1, 1, 0};
  none.right = {0, 0, 0, 0, 0};
  half.right = {1, 0, 1, 0, 0};
  const Difference lost = right_difference(none, all), won = right_difference(all, none);
  CHECK(lost.mean == doctest::Approx(-0.8));
  CHECK(lost.low == doctest::Approx(-0.8));  // 1.96 standard errors would be down to -1.19
  CHECK(lost.high == doctest::Approx(-0.8 + 1.96 * std::sqrt(0.8 / 4 / 5)));
  CHECK(won.low == doctest::Approx(0.8 - 1.96 * std::sqrt(0.8 / 4 / 5)));
  CHECK(won.high == doctest::Approx(1));
  const Difference less = right_difference(half, all);
  CHECK(less.mean == doctest::Approx(-0.4));
  CHECK(less.low == doctest::Approx(-0.8));
  CHECK(less.high == doctest::Approx(-0.4 + 1.96 * std::sqrt(1.2 / 4 / 5)));
  CHECK(right_difference({}, {}).high == 0);
}
