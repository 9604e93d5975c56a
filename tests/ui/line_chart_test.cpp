#include "app/widgets/line_chart.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "app/widgets/bars.h"
#include "app/widgets/label_place.h"
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

TEST_CASE("the name of a grid line stands over it, never under it beside the next one's") {
  RecordingCanvas canvas;
  std::vector<double> x, y;
  for (int i = 0; i <= 100; ++i) x.push_back(i), y.push_back(9.0 - 0.08 * i);  // begins over the highest line
  ChartOptions options;
  options.x = {.low = 0, .high = 100};
  options.y = {.low = 0, .high = 9, .ticks = {{2.5, "2.5"}, {5, "5"}, {7.5, "7.5"}}};
  const std::vector<Series> series{{.x = x, .y = y}};
  const ChartLayout chart = draw_line_chart(canvas, {0, 0, 600, 180}, series, options);
  int named = 0;
  for (const AxisTick& tick : options.y.ticks) {
    const RecordingCanvas::Text* text = canvas.find(tick.label);
    if (!text) continue;
    ++named;
    CHECK(text->box.bottom() < chart.to_y(tick.value));
  }
  CHECK(named >= 2);
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

TEST_CASE("no label lies on a curve, the cursor, a kept box or another label, however noisy the curves") {
  std::vector<double> x, noisy, falling, flat;
  for (int i = 0; i <= 800; ++i) {
    x.push_back(i);
    falling.push_back(0.6 + 3 * std::exp(-i / 120.0));
    noisy.push_back(falling.back() + 0.3 * std::sin(i * 12.9898) * std::sin(i * 78.233));
    flat.push_back(0.55);
  }
  for (float width : {560.0f, 700.0f, 1000.0f}) {
    for (double cursor : {0.0, 200.0, 800.0}) {
      RecordingCanvas canvas;
      const std::vector<Series> series = {
          {.label = "training", .x = x, .y = noisy, .kind = CurveKind::raw},
          {.label = "lowest", .x = x, .y = flat, .kind = CurveKind::reference},
          {.label = "validation", .x = x, .y = falling}};
      ChartOptions options{.x = step_axis(0, 800), .y = fit_axis(series), .cursor = cursor};
      options.markers = {{100, "warm-up ends, step 100"}};
      options.keep_free = {{width / 2, 20, 120, 60}};
      draw_line_chart(canvas, {0, 0, width, 240}, series, options);
      CAPTURE(width);
      CAPTURE(cursor);
      for (const char* label : {"training", "lowest", "validation", "warm-up ends, step 100"}) {
        const auto* text = canvas.find(label);
        REQUIRE_MESSAGE(text, label);
        CHECK_FALSE(overlap(text->box, options.keep_free[0]));
      }
      const auto touched = texts_on_curves(canvas);
      CHECK_MESSAGE(touched.empty(), touched.front());
      CHECK(overlapping_texts(canvas).empty());
    }
  }
}

TEST_CASE("what happened during a run is a mark on the axis that tells its words on hover") {
  const std::vector<double> x = {0, 100, 400}, y = {0, 1, 0.5};
  const std::vector<Series> series = {{.x = x, .y = y}};
  ChartOptions options{.x = step_axis(0, 400), .y = fit_axis(series)};
  options.events = {{100, "learning rate × 0.5"}};
  RecordingCanvas screen, file(light_theme(), true);
  const ChartLayout chart = draw_line_chart(screen, {0, 0, 500, 200}, series, options);
  CHECK_FALSE(screen.find("learning rate × 0.5"));
  const auto mark = screen.region_at({chart.to_x(100), chart.plot.bottom() - 4});
  REQUIRE(mark);
  CHECK(mark->tooltip == "step 100\nlearning rate × 0.5");
  draw_line_chart(file, {0, 0, 500, 200}, series, options);
  CHECK(file.find("learning rate × 0.5"));
}
