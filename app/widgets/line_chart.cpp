#include "app/widgets/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/number_format.h"

namespace glassformer {
namespace {

Stroke stroke_of(const Series& series, const Theme& theme) {
  Stroke stroke{.color = theme.ink, .width = 2};
  if (series.kind == CurveKind::raw) stroke = {.color = theme.faint_text.with_alpha(0.45f), .width = 1};
  if (series.kind == CurveKind::reference) stroke = {.color = theme.reference, .width = 1, .dashed = true};
  if (series.color.visible()) stroke.color = series.color;
  if (series.width > 0) stroke.width = series.width;
  return stroke;
}

// Points in pixels, at most four to a pixel column: first, smallest, largest, last.
class Decimator {
 public:
  explicit Decimator(float scale) : scale_(scale) {}
  void add(Point p) {
    const long column = std::lround(p.x * scale_);
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
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const bool drawable = std::isfinite(series.y[i]) && !(chart.y.kind == AxisKind::log && series.y[i] <= 0);
    if (drawable) {
      decimator.add(chart.to_point(series.x[i], series.y[i]));
    } else {
      end_piece();
    }
  }
  end_piece();
  return all;
}

std::vector<AxisTick> ticks_of(const Axis& axis, int count) {
  if (!axis.ticks.empty()) return axis.ticks;
  std::vector<AxisTick> ticks;
  if (axis.kind == AxisKind::log) {
    for (double value = axis.low; value <= axis.high * 1.0001; value *= 10)
      ticks.push_back({value, format_short(value)});
  } else {
    for (double value : round_ticks(axis.low, axis.high, count))
      ticks.push_back({value, format_short(value)});
  }
  return ticks;
}

const TextStyle kFlag{.font = Font::semibold, .size = 12, .x = AlignX::center};

// Where the cursor's flag stands under the plot; width 0: there is none.
Rect flag_place(const Canvas& canvas, const ChartLayout& chart, const ChartOptions& options) {
  if (!options.cursor || options.cursor_flag.empty()) return {};
  const float width = std::round(canvas.measure(options.cursor_flag, kFlag).x) + 24;
  const float most = std::max(chart.plot.x, chart.plot.right() - width);
  return {std::clamp(chart.to_x(*options.cursor) - width / 2, chart.plot.x, most), chart.plot.bottom() + 4,
          width, 24};
}

void draw_axes(Canvas& canvas, const ChartLayout& chart, const ChartOptions& options) {
  const Theme& theme = canvas.theme();
  const Rect& plot = chart.plot;
  const TextStyle style{.font = Font::mono, .size = 12, .color = theme.second_text};
  for (const AxisTick& tick : ticks_of(chart.y, plot.height < 120 ? 2 : 4)) {
    const float y = chart.to_y(tick.value);
    if (y < plot.y - 1 || y > plot.bottom() + 1) continue;
    if (chart.y.grid) canvas.line({plot.x, y}, {plot.right(), y}, {.color = theme.border});
    if (options.labels_inside) {
      canvas.text({plot.x, y - 10}, tick.label, style);
    } else {
      TextStyle right = style;
      right.x = AlignX::right;
      canvas.text({plot.x - 8, y}, tick.label, right);
    }
  }
  if (!options.x_labels) return;
  // Ticks from both ends inwards, as far as they leave each other room.
  float taken = plot.x - 100;
  const Rect flag = flag_place(canvas, chart, options);
  const std::vector<AxisTick> ticks = ticks_of(chart.x, 5);
  const float last_start =
      ticks.empty() ? plot.right()
                    : chart.to_x(ticks.back().value) - canvas.measure(ticks.back().label, style).x - 6;
  for (const AxisTick& tick : ticks) {
    const float x = chart.to_x(tick.value), width = canvas.measure(tick.label, style).x;
    float from = std::clamp(x - width / 2, plot.x, plot.right() - width);
    const bool last = &tick == &ticks.back();
    if (from < taken + 8 || (!last && from + width > last_start)) continue;
    if (flag.width > 0 && from < flag.right() + 4 && from + width > flag.x - 4) continue;
    canvas.text({from, plot.bottom() + 14}, tick.label, style);
    taken = from + width;
  }
  if (!chart.x.title.empty()) {
    canvas.text({plot.right(), plot.bottom() + 32}, chart.x.title,
                {.size = 12, .color = theme.second_text, .x = AlignX::right});
  }
}

Color label_color(const Series& series, const Theme& theme) {
  if (series.color.visible()) return series.color;
  if (series.kind == CurveKind::reference) return theme.reference;
  return series.kind == CurveKind::raw ? theme.second_text : theme.ink;
}

// Words over the highest (under the lowest) point of the curve that they reach, beginning at `left`.
std::optional<Rect> label_place(const ChartLayout& chart, const Series& series, float left, float width,
                                bool below) {
  constexpr float kHeight = 16;
  std::optional<float> edge;
  for (float px = left; px <= left + width; px += 8) {
    const auto at = curve_at(series, chart.x_at(px));
    if (!at) continue;
    const float y = chart.to_y(*at);
    edge = !edge ? y : below ? std::max(*edge, y) : std::min(*edge, y);
  }
  if (!edge) return std::nullopt;
  const Rect place{left, below ? *edge + 4 : *edge - 4 - kHeight, width, kHeight};
  if (place.y < chart.plot.y - 4 || place.bottom() > chart.plot.bottom() + 2) return std::nullopt;
  return place;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// Beside the curve where it was asked for, or as near as other labels leave room.
void draw_label(Canvas& canvas, const ChartLayout& chart, const Series& series, std::vector<Rect>& taken) {
  if (series.label.empty() || series.x.empty()) return;
  const TextStyle style{.font = series.kind == CurveKind::run ? Font::semibold : Font::regular,
                        .size = 12,
                        .color = label_color(series, canvas.theme())};
  const float width = canvas.measure(series.label, style).x;
  const float most = std::max(chart.plot.x, chart.plot.right() - width);
  for (float shift : {0.0f, 0.1f, -0.1f, 0.2f, -0.2f, 0.35f, -0.35f, 0.5f, -0.5f}) {
    for (bool below : {series.label_below, !series.label_below}) {
      const float wanted = chart.plot.x + chart.plot.width * (static_cast<float>(series.label_at) + shift);
      const auto place = label_place(chart, series, std::clamp(wanted, chart.plot.x, most), width, below);
      if (!place) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const Rect& other) { return overlap(*place, other); }))
        continue;
      canvas.text({place->x, place->center().y}, series.label, style);
      taken.push_back(*place);
      return;
    }
  }
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
  TextStyle style = kFlag;
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
  if (options.x_labels && !options.x.title.empty()) bottom += 20;
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

void draw_area_under(Canvas& canvas, const ChartLayout& chart, const Series& series, Color fill) {
  const float foot = chart.plot.bottom();
  for (const std::vector<Point>& piece : pieces(canvas, chart, series)) {
    for (std::size_t i = 1; i < piece.size(); ++i) {
      const Point a = piece[i - 1], b = piece[i];
      if (b.x - a.x < 0.01f) continue;
      canvas.polygon(std::array{a, b, Point{b.x, foot}, Point{a.x, foot}}, fill);
    }
  }
}

ChartLayout draw_line_chart(Canvas& canvas, const Rect& area, std::span<const Series> series,
                            const ChartOptions& options) {
  const ChartLayout chart = layout_line_chart(canvas, area, options);
  const Theme& theme = canvas.theme();
  draw_axes(canvas, chart, options);
  for (const ChartMarker& marker : options.markers) {
    const float x = chart.to_x(marker.x);
    canvas.line({x, chart.plot.y}, {x, chart.plot.bottom()}, {.color = theme.faint_text, .dashed = true});
    const TextStyle style{.size = 12, .color = theme.second_text};
    const float width = canvas.measure(marker.text, style).x;
    const bool right = x + 8 + width <= chart.plot.right();
    canvas.text({right ? x + 8 : x - 8 - width, chart.plot.bottom() - 10}, marker.text, style);
  }
  canvas.push_clip({chart.plot.x - 6, chart.plot.y - 6, chart.plot.width + 12, chart.plot.height + 12});
  for (CurveKind kind : {CurveKind::raw, CurveKind::reference, CurveKind::other, CurveKind::run}) {
    for (const Series& s : series) {
      if (s.kind == kind) draw_curve(canvas, chart, s);
    }
  }
  canvas.pop_clip();
  std::vector<Rect> taken;
  for (const Series& s : series) draw_label(canvas, chart, s, taken);
  if (options.cursor) draw_cursor(canvas, chart, series, options);
  return chart;
}

}  // namespace glassformer
