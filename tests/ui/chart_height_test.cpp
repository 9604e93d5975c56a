// The height of a chart of training curves.
#include "app/views/common/chart_height.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace glassformer;

namespace {

// A loss that falls from 4, over so many columns.
CurveColumns falling(int columns) {
  CurveColumns curve;
  for (int i = 0; i < columns; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(4 * std::exp(-0.1 * i));
  }
  return curve;
}

}  // namespace

TEST_CASE("a chart holds its curves whole, however deep they fall") {
  const CurveColumns curve = falling(700);
  const ChartHeight height = chart_height({&curve});
  CHECK(height.top == 4);
  CHECK_FALSE(height.leaves());
}

TEST_CASE("the last steps of a run that diverges leave the chart, and it says how far they go") {
  CurveColumns curve = falling(700);
  curve.y[698] = 1e7;
  curve.y[699] = std::nan("");
  const ChartHeight height = chart_height({&curve});
  CHECK(height.top == doctest::Approx(6));
  CHECK(height.highest == 1e7);
  CHECK(height.leaves());
}

TEST_CASE("what has to be held is, however rare: the peak of a plan over a million steps") {
  CurveColumns rate = falling(700);
  rate.y.assign(700, 0.001);
  rate.y[1] = 0.02;
  CHECK(chart_height({&rate}).leaves());
  CHECK(chart_height({&rate}, 0.02).top == 0.02);
}

TEST_CASE("curves of a few points, and none at all, are held whole") {
  const CurveColumns rising{.x = {0, 1, 2}, .y = {0.5, 1, 2}}, nothing;
  CHECK(chart_height({&rising, &nothing}).top == 2);
  CHECK(chart_height({&nothing}).top == 0);
  CHECK(close_axis(0, 4).high > 0);
}
