// Curves over an axis: loss, learning rate, waves. Curves are labelled directly, there is no legend box. Long
// curves are reduced to the smallest and largest value of each pixel column. Labels are near `label_at`,
// where no curve, tick or other label is in the way.
//
//   ChartOptions options;
//   options.x = step_axis(0, last_step);                       // early steps wide
//   options.y = fit_axis(series);
//   ChartLayout chart = draw_line_chart(canvas, area, series, options);
//   double step = chart.x_at(mouse.x);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"

namespace glassformer {

enum class AxisKind { linear, log, root };  // root: the square root, so that early steps have room

struct AxisTick {
  double value = 0;
  std::string label = {};
};

struct Axis {
  AxisKind kind = AxisKind::linear;
  double low = 0, high = 1;          // log: both above 0
  std::vector<AxisTick> ticks = {};  // empty: round numbers are chosen
  std::string title = {};            // small, at the end: "distance between two words"
  bool grid = true;                  // a 1-px line at each tick (y only)
  double share(double value) const;  // 0 at low, 1 at high
  double value(double share) const;  // the inverse
};

// An axis made ready for many values.
class AxisScale {
 public:
  explicit AxisScale(const Axis& axis);
  double share(double value) const;

 private:
  AxisKind kind_;
  double from_, span_;
};

// Training steps: ticks at 0, N/64, N/16, N/4, N. `even`: linear instead of the square root. Its title names
// the scale.
Axis step_axis(double first, double last, bool even = false);

enum class CurveKind {
  run,
  raw,
  reference,
  other
};  // ink 2 px; faint 1 px at 45 %; dashed reference; own colour

struct Series {
  std::string label = {};                  // written beside the curve, never on one; empty: none
  std::span<const double> x = {}, y = {};  // equally long, x ascending; NaN leaves a gap
  CurveKind kind = CurveKind::run;
  Color color = {};       // for `other`, or to replace the kind's own
  float width = 0;        // 0: the kind's own
  float dash = 0;         // length of its dashes; 0: the kind's own
  double label_at = 0.5;  // share of the x axis where the label is
  bool label_below = false;
};

// A range of y that holds all series, from 0 when `from_zero`; round ends.
Axis fit_axis(std::span<const Series> series, AxisKind kind = AxisKind::linear, bool from_zero = true);

constexpr float kTitleBottom = 44;  // room for the x ticks and their axis title

struct ChartMarker {  // a vertical dashed line with words: "warm-up ends, step 400"
  double x = 0;
  std::string text = {};
};

struct ChartOptions {
  Axis x = {}, y = {};
  std::optional<double> cursor = {};  // vertical line; a ring on every `run` and `other` curve
  std::string cursor_flag = {};       // ink flag under the line: "You are here · step 200"
  std::vector<ChartMarker> markers = {};
  std::vector<ChartMarker> events = {};  // a small mark on the foot of the plot, its words on hover
  std::vector<Rect> keep_free = {};      // drawn over the chart by the caller: labels keep off
  bool labels_inside = true;  // y ticks are over their grid line inside the plot, so that plots align
  bool x_labels = true;
  float bottom = 24;  // room for the x ticks
};

struct ChartLayout {
  Rect plot = {};
  Axis x = {}, y = {};
  float to_x(double value) const;  // px
  float to_y(double value) const;
  Point to_point(double vx, double vy) const { return {to_x(vx), to_y(vy)}; }
  double x_at(float px) const;  // value under a pixel, clamped to the axis
};

ChartLayout layout_line_chart(const Canvas& canvas, const Rect& area, const ChartOptions& options);
ChartLayout draw_line_chart(Canvas& canvas, const Rect& area, std::span<const Series> series,
                            const ChartOptions& options);
// Only the curve, into a layout that exists: small multiples, the slider's backdrop.
void draw_curve(Canvas& canvas, const ChartLayout& chart, const Series& series);

// The value of a curve at x, interpolated; nothing outside or without values.
std::optional<double> curve_at(const Series& series, double x);
// Round tick values inside low..high, about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace glassformer
