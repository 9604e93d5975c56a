#include "app/views/common/training_curves.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "app/format/number_format.h"
#include "app/views/common/chart_height.h"
#include "app/views/common/run_events.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

namespace {

constexpr double kNearlyAll = 0.98;  // of a curve's columns
constexpr double kRise = 8;          // above what is usual, to be called divergence
constexpr double kAbove = 1.5;       // of what is usual: then the chart's height

}  // namespace

// Usual is what a curve begins with and what nearly all of it keeps below.
ChartHeight chart_height(const std::vector<const CurveColumns*>& curves, double held) {
  double usual = held, highest = 0;
  for (const CurveColumns* curve : curves) {
    std::vector<double> heights;
    std::ranges::copy_if(curve->y, std::back_inserter(heights), [](double y) { return std::isfinite(y); });
    if (heights.empty()) continue;
    usual = std::max(usual, heights.front());
    const auto most = heights.begin() + static_cast<std::ptrdiff_t>(kNearlyAll * double(heights.size() - 1));
    std::ranges::nth_element(heights, most);
    usual = std::max(usual, *most);
    highest = std::max(highest, std::ranges::max(heights));
  }
  return {.top = highest > kRise * usual ? kAbove * usual : highest, .highest = highest};
}

Axis close_axis(double high, int ticks) {
  if (high <= 0) high = 1;
  if (ticks <= 1) {
    const double end = round_limit(high);
    return {.low = 0, .high = end, .ticks = {{0, ""}, {end, format_short(end)}}};
  }
  Axis axis{.low = 0, .high = high * 1.04};
  for (const double tick : round_ticks(axis.low, axis.high, ticks))
    axis.ticks.push_back({tick, tick == 0 ? "" : format_short(tick)});
  return axis;
}

std::vector<ChartMarker> run_events(const RunState& run) {
  std::vector<ChartMarker> events;
  if (run.curves)
    for (const RunMark& mark : run.curves->marks) events.push_back({double(mark.step), mark.text});
  return events;
}

void event_tooltips(ui::Ui& ui, const Rect& charts, const Axis& axis, const RunState& run) {
  constexpr float kNear = 6;
  for (const ChartMarker& event : run_events(run)) {
    const float x = charts.x + charts.width * static_cast<float>(axis.share(event.x));
    ui.tooltip({x - kNear, charts.y, 2 * kNear, charts.height},
               "after step " + format_count(std::lround(event.x)) + "\n" + event.text);
  }
}

Formula schedule_formula(ScheduleKind kind) {
  const auto text = [](const char* words) { return formula_text(words); };
  const auto power = [](const char* base, const char* exponent) {
    return formula_power(formula_text(base), formula_text(exponent));
  };
  switch (kind) {
    case ScheduleKind::noam:
      return formula_row({text("factor · "), power("d", "−0.5"), text(" · min( "), power("step", "−0.5"),
                          text(", step · "), power("warm-up", "−1.5"), text(" )")});
    case ScheduleKind::constant:
      return text("peak, at every step");
    case ScheduleKind::linear:
      return text("peak · step / warm-up, then peak · (total − step) / (total − warm-up)");
    case ScheduleKind::cosine:
      break;
  }
  return text("peak · step / warm-up, then peak · (1 + cos(π · share of the rest)) / 2");
}

CurveColumns step_curve(const StepSeries& steps, float StepPoint::*value, const Axis& axis, int columns) {
  CurveColumns curve;
  const auto add = [&](std::size_t i) {
    curve.x.push_back(double(i + 1));
    curve.y.push_back(double(steps[i].*value));
  };
  if (steps.size() <= 2 * static_cast<std::size_t>(std::max(columns, 1))) {
    for (std::size_t i = 0; i < steps.size(); ++i) add(i);
    return curve;
  }

  // The extremes of each column, in the order in which they come.
  std::size_t from = 0;
  for (int column = 0; column < columns && from < steps.size(); ++column) {
    const double border = axis.value(double(column + 1) / columns);
    const auto past = static_cast<std::size_t>(std::max(0.0, std::floor(border)));
    std::size_t to = column + 1 == columns ? steps.size() : std::min(past, steps.size());
    if (to <= from) continue;
    // A border moved by less than a quarter of its column is not seen, and spares a look at single points.
    if (to < steps.size() && to - from > 4 * StepSeries::kPart) to -= to % StepSeries::kPart;
    const auto [low, high] = steps.extremes(value, from, to);
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
    from = to;
  }
  return curve;
}

CurveColumns validation_curve(std::span<const ValidationPoint> validations,
                              const std::function<std::optional<double>(const ValidationPoint&)>& value,
                              const Axis& axis, int columns) {
  CurveColumns curve;
  const auto add = [&](double x, double y) {
    curve.x.push_back(x);
    curve.y.push_back(y);
  };
  std::vector<std::pair<double, double>> column;  // step and value
  const auto close = [&] {
    if (column.empty()) return;
    const auto [low, high] = std::ranges::minmax_element(column, {}, &std::pair<double, double>::second);
    add(std::min(low, high)->first, std::min(low, high)->second);
    if (low != high) add(std::max(low, high)->first, std::max(low, high)->second);
    column.clear();
  };
  const bool all = validations.size() <= 2 * static_cast<std::size_t>(std::max(columns, 1));
  double border = 0;
  for (const ValidationPoint& point : validations) {
    const std::optional<double> y = value(point);
    if (!y) continue;
    const auto step = double(point.step);
    if (all || std::isnan(*y)) {
      close();
      add(step, *y);
      continue;
    }
    if (step > border) {
      close();
      border = axis.value(std::ceil(axis.share(step) * columns) / columns);
    }
    column.emplace_back(step, *y);
  }
  close();
  return curve;
}

namespace {

CurveColumns reduced(const Curves& curves, CurveOf which, const Axis& axis, int columns) {
  const auto steps = [&](float StepPoint::*value) { return step_curve(curves.steps, value, axis, columns); };
  const auto validations = [&](const auto& value) {
    return validation_curve(curves.validations, value, axis, columns);
  };
  switch (which) {
    case CurveOf::loss:
      return steps(&StepPoint::loss);
    case CurveOf::learning_rate:
      return steps(&StepPoint::learning_rate);
    case CurveOf::gradient_norm:
      return steps(&StepPoint::gradient_norm);
    case CurveOf::tokens_per_s:
      return steps(&StepPoint::tokens_per_s);
    case CurveOf::validated_loss:
      return validations(&ValidationPoint::loss);
    case CurveOf::words_right:
      return validations(&ValidationPoint::token_accuracy);
    case CurveOf::sentences_right:
      break;
  }
  return validations([](const ValidationPoint& point) {
    return point.exact_match < 0 ? std::nullopt : std::optional(point.exact_match);
  });
}

}  // namespace

CurveColumns CurveCache::get(const std::shared_ptr<const Curves>& curves, CurveOf which, const Axis& axis,
                             float width) {
  constexpr std::size_t kMost = 48;
  // Two extremes in a column of nearly two pixels are as close as lines can be distinguished.
  const auto columns = static_cast<int>(width / 1.8f);
  const auto found = std::ranges::find_if(newest_, [&](const Entry& entry) {
    return entry.curves == curves && entry.which == which && entry.columns == columns &&
           entry.kind == axis.kind && entry.low == axis.low && entry.high == axis.high;
  });
  if (found != newest_.end()) {
    newest_.splice(newest_.begin(), newest_, found);
  } else {
    newest_.push_front(
        {curves, which, axis.kind, axis.low, axis.high, columns, reduced(*curves, which, axis, columns)});
    if (newest_.size() > kMost) newest_.pop_back();
  }
  return newest_.front().found;
}

const ValidationPoint* validation_at(const Curves& curves, long step) {
  const auto after = std::ranges::upper_bound(curves.validations, step, {}, &ValidationPoint::step);
  return after == curves.validations.begin() ? nullptr : &*(after - 1);
}

const StepPoint* step_at(const Curves& curves, long step) {
  if (step < 1 || step > static_cast<long>(curves.steps.size())) return nullptr;
  return &curves.steps[static_cast<std::size_t>(step - 1)];
}

long validation_interval(const Curves& curves) {
  const auto& points = curves.validations;
  if (points.size() < 2) return 0;
  const long interval = points[1].step - points[0].step;
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    if (points[i + 1].step - points[i].step != interval && i + 2 < points.size()) return 0;
  return interval;
}

}  // namespace glassformer
