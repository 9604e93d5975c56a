#include "app/widgets/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/chart_parts.h"

namespace glassformer {

namespace {

double bent(AxisKind kind, double value) {
  switch (kind) {
    case AxisKind::linear:
      return value;
    case AxisKind::log:
      return std::log10(std::max(value, 1e-300));
    case AxisKind::root:
      return std::sqrt(std::max(value, 0.0));
  }
  return value;
}

double unbent(AxisKind kind, double value) {
  switch (kind) {
    case AxisKind::linear:
      return value;
    case AxisKind::log:
      return std::pow(10.0, value);
    case AxisKind::root:
      return value * std::abs(value);
  }
  return value;
}

}  // namespace

AxisScale::AxisScale(const Axis& axis)
    : kind_(axis.kind), from_(bent(axis.kind, axis.low)), span_(bent(axis.kind, axis.high) - from_) {}

double AxisScale::share(double value) const {
  return span_ > 0 ? (bent(kind_, value) - from_) / span_ : 0;
}

double Axis::share(double v) const {
  return AxisScale(*this).share(v);
}

double Axis::value(double s) const {
  const double from = bent(kind, low), to = bent(kind, high);
  return unbent(kind, from + s * (to - from));
}

std::vector<double> round_ticks(double low, double high, int count) {
  std::vector<double> ticks;
  if (!(high > low) || count < 1) return {low};
  const double rough = (high - low) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double lead : {1.0, 2.0, 2.5, 5.0}) {
    if (rough <= lead * power * 1.0000001) {
      step = lead * power;
      break;
    }
  }
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k)
    ticks.push_back(k * step);
  return ticks;
}

Axis step_axis(double first, double last, bool even) {
  Axis axis{.kind = even ? AxisKind::linear : AxisKind::root,
            .low = first,
            .high = std::max(last, first + 1),
            .title = even ? "training step, evenly spaced" : "square root of the training step"};
  const auto add = [&axis](double step) {
    const double whole = std::round(step);
    if (!axis.ticks.empty() && axis.ticks.back().value >= whole) return;
    axis.ticks.push_back({whole, format_count(std::llround(whole))});
  };
  if (even) {
    for (double step : round_ticks(axis.low, axis.high, 4)) add(step);
  } else {
    for (double part : {64.0, 16.0, 4.0, 1.0}) {
      if (axis.ticks.empty()) add(axis.low);
      add(axis.low + (axis.high - axis.low) / part);
    }
  }
  return axis;
}

Axis fit_axis(std::span<const Series> series, AxisKind kind, bool from_zero) {
  double low = INFINITY, high = -INFINITY;
  for (const Series& s : series) {
    for (double y : s.y) {
      if (!std::isfinite(y) || (kind == AxisKind::log && y <= 0)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  Axis axis{.kind = kind};
  if (kind == AxisKind::log) {
    if (!(low <= high)) low = 0.1, high = 1;
    axis.low = std::pow(10.0, std::floor(std::log10(low) + 1e-9));
    axis.high = std::pow(10.0, std::ceil(std::log10(high) - 1e-9));
    if (axis.high <= axis.low) axis.high = axis.low * 10;
    return axis;
  }
  if (!(low <= high)) low = 0, high = 1;
  if (from_zero && low > 0) low = 0;
  if (high <= low) high = low + 1;
  // Out to the next round tick.
  const std::vector<double> ticks = round_ticks(low, high, 4);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : high - low;
  axis.low = std::floor(low / step + 1e-9) * step;
  axis.high = std::ceil(high / step - 1e-9) * step;
  return axis;
}

namespace {

Stroke stroke_of(const Series& series, const Theme& theme) {
  Stroke stroke{.color = theme.ink, .width = 2};
  if (series.kind == CurveKind::raw) stroke = {.color = theme.faint_text.with_alpha(0.45f), .width = 1};
  if (series.kind == CurveKind::reference) stroke = {.color = theme.reference, .width = 1, .dashed = true};
  if (series.color.visible()) stroke.color = series.color;
  if (series.width > 0) stroke.width = series.width;
  if (series.dash > 0) stroke.dashed = true, stroke.dash = series.dash;
  return stroke;
}

// Points in pixels, at most four to a pixel column: first, smallest, largest, last.
class Decimator {
 public:
  explicit Decimator(float scale) : scale_(scale) {}
  void add(Point p) {
    const auto column = static_cast<long>(std::floor(p.x * scale_ + 0.5f));
    if (count_ == 0 || column != column_) {
      flush();
      column_ = column;
      first_ = low_ = high_ = p;
    }
    if (p.y < low_.y) low_ = p;
    if (p.y > high_.y) high_ = p;
    last_ = p;
    ++count_;
  }
  void flush() {
    if (count_ == 0) return;
    push(first_);
    if (count_ > 1) {
      push(low_.x <= high_.x ? low_ : high_);
      push(low_.x <= high_.x ? high_ : low_);
      push(last_);
    }
    count_ = 0;
  }
  std::vector<Point> points;

 private:
  void push(Point p) {
    if (points.empty() || !(points.back() == p)) points.push_back(p);
  }
  float scale_;
  long column_ = 0;
  int count_ = 0;
  Point first_, low_, high_, last_;
};

// The parts of a curve between gaps.
std::vector<std::vector<Point>> pieces(const Canvas& canvas, const ChartLayout& chart, const Series& series) {
  std::vector<std::vector<Point>> all;
  Decimator decimator(canvas.scale());
  const auto end_piece = [&] {
    decimator.flush();
    if (!decimator.points.empty()) all.push_back(std::move(decimator.points));
    decimator.points.clear();
  };
  const AxisScale x(chart.x), y(chart.y);
  const auto place = [&](std::size_t i) {
    return Point{chart.plot.x + chart.plot.width * static_cast<float>(x.share(series.x[i])),
                 chart.plot.bottom() - chart.plot.height * static_cast<float>(y.share(series.y[i]))};
  };
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const bool drawable = std::isfinite(series.y[i]) && !(chart.y.kind == AxisKind::log && series.y[i] <= 0);
    if (drawable) {
      decimator.add(place(i));
    } else {
      end_piece();
    }
  }
  end_piece();
  return all;
}

void draw_cursor(Canvas& canvas, const ChartLayout& chart, std::span<const Series> series,
                 const ChartOptions& options) {
  const Theme& theme = canvas.theme();
  const float x = chart.to_x(*options.cursor);
  canvas.line({x, chart.plot.y}, {x, chart.plot.bottom()}, {.color = theme.second_text, .width = 1});
  for (const Series& s : series) {
    if (s.kind != CurveKind::run && s.kind != CurveKind::other) continue;
    const std::optional<double> y = curve_at(s, *options.cursor);
    if (!y) continue;
    const Color color = s.color.visible() ? s.color : theme.ink;
    canvas.circle({x, chart.to_y(*y)}, 5, theme.panel, {.color = color, .width = 2});
  }
  const Rect flag = flag_place(canvas, chart, options);
  if (flag.width <= 0) return;
  TextStyle style = flag_style();
  style.color = theme.on_ink;
  canvas.rectangle(flag, {.fill = theme.ink, .radius = 12});
  canvas.text(flag.center(), options.cursor_flag, style);
}

}  // namespace

float ChartLayout::to_x(double value) const {
  return plot.x + plot.width * static_cast<float>(x.share(value));
}
float ChartLayout::to_y(double value) const {
  return plot.bottom() - plot.height * static_cast<float>(y.share(value));
}
double ChartLayout::x_at(float px) const {
  return x.value(std::clamp(static_cast<double>((px - plot.x) / std::max(1.0f, plot.width)), 0.0, 1.0));
}

std::optional<double> curve_at(const Series& series, double x) {
  const std::size_t count = std::min(series.x.size(), series.y.size());
  if (count == 0 || x < series.x.front() || x > series.x[count - 1]) return std::nullopt;
  const auto after = static_cast<std::size_t>(
      std::lower_bound(series.x.begin(), series.x.begin() + static_cast<std::ptrdiff_t>(count), x) -
      series.x.begin());
  double y = series.y[after];
  if (series.x[after] != x && after > 0) {
    const double from = series.x[after - 1], share = (x - from) / (series.x[after] - from);
    y = series.y[after - 1] + (series.y[after] - series.y[after - 1]) * share;
  }
  if (!std::isfinite(y)) return std::nullopt;
  return y;
}

ChartLayout layout_line_chart(const Canvas& canvas, const Rect& area, const ChartOptions& options) {
  ChartLayout layout{.plot = area, .x = options.x, .y = options.y};
  const TextStyle style{.font = Font::mono, .size = 12};
  if (options.labels_inside) {
    layout.plot.y += 18;
    layout.plot.height -= 18;
  } else {
    float width = 0;
    for (const AxisTick& tick : ticks_of(options.y, 4))
      width = std::max(width, canvas.measure(tick.label, style).x);
    layout.plot.x += std::ceil(width) + 8;
    layout.plot.width = area.right() - layout.plot.x;
    layout.plot.y += 8;
    layout.plot.height -= 8;
  }
  float bottom = options.x_labels ? options.bottom : 0;
  if (options.x_labels && !options.x.title.empty()) bottom = std::max(bottom, kTitleBottom);
  if (!options.cursor_flag.empty()) bottom = std::max(bottom, 30.0f);
  layout.plot.height = std::max(8.0f, layout.plot.height - bottom);
  return layout;
}

void draw_curve(Canvas& canvas, const ChartLayout& chart, const Series& series) {
  const Stroke stroke = stroke_of(series, canvas.theme());
  for (const std::vector<Point>& piece : pieces(canvas, chart, series)) {
    if (piece.size() > 1) {
      canvas.polyline(piece, stroke);
    } else {
      canvas.circle(piece.front(), stroke.width + 1, stroke.color, {});
    }
  }
}

ChartLayout draw_line_chart(Canvas& canvas, const Rect& area, std::span<const Series> series,
                            const ChartOptions& options) {
  const ChartLayout chart = layout_line_chart(canvas, area, options);
  // What words have to keep off.
  const Rect& plot = chart.plot;
  LabelSpace space({plot.x, plot.y - 20, plot.width + 1, plot.height + 20});
  for (const Series& s : series)
    for (const std::vector<Point>& piece : pieces(canvas, chart, s)) space.keep_off(piece);
  for (const Rect& box : options.keep_free) space.keep_off(box);
  if (options.cursor) {
    const float x = chart.to_x(*options.cursor);
    space.keep_off(Rect{x - 7, plot.y - 20, 14, plot.height + 20});
  }
  for (const ChartMarker& marker : options.markers)
    space.keep_off(Rect{chart.to_x(marker.x) - 3, plot.y, 6, plot.height});
  for (const ChartMarker& event : options.events)
    space.keep_off(Rect{chart.to_x(event.x) - 6, plot.bottom() - 10, 12, 10});

  draw_axes(canvas, chart, options, space);
  for (const ChartMarker& marker : options.markers) draw_marker(canvas, chart, marker, space);
  canvas.push_clip({plot.x - 6, plot.y - 6, plot.width + 12, plot.height + 12});
  for (CurveKind kind : {CurveKind::raw, CurveKind::reference, CurveKind::other, CurveKind::run}) {
    for (const Series& s : series) {
      if (s.kind == kind) draw_curve(canvas, chart, s);
    }
  }
  canvas.pop_clip();
  LabelSpace off_grid = space;
  for (const AxisTick& tick : ticks_of(chart.y, plot.height < 120 ? 2 : 4))
    if (chart.y.grid) off_grid.keep_off(Rect{plot.x, chart.to_y(tick.value) - 1, plot.width, 2});
  for (const Series& s : series) draw_label(canvas, chart, s, space, off_grid);
  for (const ChartMarker& event : options.events) draw_event(canvas, chart, event, space);
  if (options.cursor) draw_cursor(canvas, chart, series, options);
  return chart;
}

}  // namespace glassformer
