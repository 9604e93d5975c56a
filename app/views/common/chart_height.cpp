#include "app/views/common/chart_height.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "app/format/number_format.h"
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

}  // namespace glassformer
