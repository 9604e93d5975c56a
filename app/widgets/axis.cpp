#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/line_chart.h"

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

}  // namespace glassformer
