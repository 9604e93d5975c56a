#include "engine/analysis/block_study.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace glassformer;

TEST_CASE("the change of a row is the length of what is added beside the length of the stream") {
  const std::vector<float> stream{3, 4, 0, 2, 0, 0}, added{0, 10, 1, 1, 0, 3};
  const std::vector<double> changes = relative_changes({stream.data(), 3, 2}, {added.data(), 3, 2});
  REQUIRE(changes.size() == 3);
  CHECK(changes[0] == doctest::Approx(2));
  CHECK(changes[1] == doctest::Approx(std::sqrt(2.0) / 2));
  CHECK(std::isinf(changes[2]));
}

TEST_CASE("a unit fires for the words whose activation is above 0, most for the largest") {
  // Four words, four units: always, never (negative as GELU's can be, and 0), once, and twice.
  const std::vector<float> hidden{1, -0.1f, 0, 0.5f,  //
                                  2, 0,     0, 0,     //
                                  3, -0.2f, 7, 0,     //
                                  1, 0,     0, 0.7f};
  const std::vector<UnitActivity> units = unit_activity({hidden.data(), 4, 4});
  REQUIRE(units.size() == 4);
  CHECK(units[0].firing == 4);
  CHECK(units[0].strongest == 2);
  CHECK(units[1].firing == 0);
  CHECK(units[1].strongest == -1);
  CHECK(units[2].firing == 1);
  CHECK(units[2].strongest == 2);
  CHECK(units[3].firing == 2);
  CHECK(units[3].strongest == 3);

  const FiringSummary summary = firing_summary(units, 4);
  CHECK(summary.share == doctest::Approx(7.0 / 16));
  CHECK(summary.never == 1);
  CHECK(summary.always == 1);
}

TEST_CASE("a block that nothing passed through fires nowhere") {
  const FiringSummary summary = firing_summary({}, 0);
  CHECK(summary.share == 0);
  CHECK(summary.always == 0);
}
