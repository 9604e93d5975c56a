#include "app/widgets/line_chart.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "app/widgets/bars.h"
#include "tests/ui/recording_canvas.h"

using namespace glassformer;

TEST_CASE("each axis goes from value to share and back") {
  for (AxisKind kind : {AxisKind::linear, AxisKind::log, AxisKind::root}) {
    const Axis axis{.kind = kind, .low = 2, .high = 800};
    CHECK(axis.share(2) == doctest::Approx(0));
    CHECK(axis.share(800) == doctest::Approx(1));
    for (double value : {2.0, 3.5, 100.0, 799.0})
      CHECK(axis.value(axis.share(value)) == doctest::Approx(value));
  }
}

TEST_CASE("the step axis gives early steps room and ticks at 0, N/64, N/16, N/4, N") {
  const Axis axis = step_axis(0, 3200);
  CHECK(axis.share(200) == doctest::Approx(0.25));
  CHECK(axis.share(800) == doctest::Approx(0.5));
  std::vector<double> ticks;
  for (const AxisTick& tick : axis.ticks) ticks.push_back(tick.value);
  CHECK(ticks == std::vector<double>{0, 50, 200, 800, 3200});
  CHECK(axis.ticks.back().label == "3\u2009200");
  const Axis even = step_axis(0, 3200, true);
  CHECK(even.share(800) == doctest::Approx(0.25));
  CHECK(step_axis(0, 0).high > 0);
}

TEST_CASE("a fitted axis holds all finite values and ends on round numbers") {
  const std::vector<double> x = {0, 1, 2}, y = {0.3, std::numeric_limits<double>::quiet_NaN(), 3.87};
  const std::vector<Series> series = {{.x = x, .y = y}};
  const Axis axis = fit_axis(series);
  CHECK(axis.low == 0);
  CHECK(axis.high == doctest::Approx(4));
  const Axis log = fit_axis(series, AxisKind::log);
  CHECK(log.low == doctest::Approx(0.1));
  CHECK(log.high == doctest::Approx(10));
  CHECK(fit_axis({}).high > fit_axis({}).low);
}

TEST_CASE("a long curve is reduced to its pixel columns and keeps its extremes") {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i);
    y.push_back(i == 54321 ? 5 : std::sin(i * 0.7));
  }
  RecordingCanvas canvas;
  const std::vector<Series> series = {{.x = x, .y = y}};
  const ChartOptions options{.x = {.high = 100000}, .y = {.low = -1, .high = 5}};
  const ChartLayout chart = layout_line_chart(canvas, {0, 0, 400, 200}, options);
  draw_curve(canvas, chart, series[0]);
  REQUIRE(canvas.lines.size() == 1);
  CHECK(canvas.lines[0].size() <= 4 * 401);
  float top = 1000;
  for (Point p : canvas.lines[0]) top = std::min(top, p.y);
  CHECK(top == doctest::Approx(chart.to_y(5)));
}

TEST_CASE("a value that is not a number leaves a gap") {
  const std::vector<double> x = {0, 1, 2, 3, 4}, y = {1, 1, std::numeric_limits<double>::quiet_NaN(), 1, 1};
  RecordingCanvas canvas;
  const ChartLayout chart = layout_line_chart(canvas, {0, 0, 400, 200}, {.x = {.high = 4}, .y = {.high = 2}});
  draw_curve(canvas, chart, {.x = x, .y = y});
  CHECK(canvas.lines.size() == 2);
  CHECK_FALSE(curve_at({.x = x, .y = y}, 1.5));
  CHECK(*curve_at({.x = x, .y = y}, 0.5) == 1);
  CHECK_FALSE(curve_at({.x = x, .y = y}, 9));
}

TEST_CASE("the step under the mouse is the step that is drawn there") {
  RecordingCanvas canvas;
  const ChartLayout chart = layout_line_chart(canvas, {10, 0, 400, 200}, {.x = step_axis(0, 3200), .y = {}});
  for (double step : {0.0, 50.0, 200.0, 3200.0})
    CHECK(chart.x_at(chart.to_x(step)) == doctest::Approx(step).epsilon(0.001));
  CHECK(chart.x_at(-100) == 0);
  CHECK(chart.x_at(5000) == doctest::Approx(3200));
}

TEST_CASE("labels of curves that run together do not cover each other") {
  std::vector<double> x, a, b, c;
  for (int i = 0; i <= 100; ++i) {
    x.push_back(i);
    a.push_back(1.0 + 1.0 / (i + 1));
    b.push_back(1.02 + 1.0 / (i + 1));
    c.push_back(0.98);
  }
  for (float width : {260.0f, 400.0f, 800.0f}) {
    RecordingCanvas canvas;
    const std::vector<Series> series = {
        {.label = "validation", .x = x, .y = a},
        {.label = "training, with dropout", .x = x, .y = b, .kind = CurveKind::raw},
        {.label = "lowest possible", .x = x, .y = c, .kind = CurveKind::reference}};
    ChartOptions options{
        .x = {.high = 100}, .y = fit_axis(series), .cursor = 40.0, .cursor_flag = "You are here · step 40"};
    draw_line_chart(canvas, {0, 0, width, 240}, series, options);
    for (const std::string& pair : overlapping_texts(canvas)) FAIL_CHECK(pair);
    CHECK(texts_outside(canvas, {0, 0, width, 240}).empty());
  }
}

TEST_CASE("bars keep labels, bars and values apart at every width") {
  const std::vector<BarRow> rows = {{.label = "internationalisation", .share = 1, .emphasized = true},
                                    {.label = "a", .share = 0}};
  for (float width : {160.0f, 240.0f, 500.0f}) {
    RecordingCanvas canvas;
    CHECK(draw_bar_list(canvas, {0, 0, width, 200}, rows) == 48);
    CHECK(overlapping_texts(canvas).empty());
    CHECK(texts_outside(canvas, {0, 0, width, 48}).empty());
  }
  RecordingCanvas small;
  CHECK(draw_bar_list(small, {0, 0, 300, 30}, rows) == 24);  // what does not fit is left out
}

TEST_CASE("columns reach from zero, also below it") {
  RecordingCanvas canvas;
  draw_column_chart(canvas, {0, 0, 300, 150}, {{.value = 2, .label = "0"}, {.value = -1, .label = "1"}});
  REQUIRE(canvas.rectangles.size() == 2);
  const Rect up = canvas.rectangles[0].rect, down = canvas.rectangles[1].rect;
  CHECK(up.bottom() == doctest::Approx(down.y));
  CHECK(up.height == doctest::Approx(2 * down.height));
}
