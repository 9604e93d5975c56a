// How high a chart of training curves is.
#pragma once

#include <vector>

#include "app/views/common/training_curves.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

// A run that diverges rises by powers of ten: its last steps leave the chart, or they would flatten all
// others.
struct ChartHeight {
  double top = 0;      // of the chart
  double highest = 0;  // of the curves; not finite ones do not count
  bool leaves() const { return highest > top; }
};
// `held`: what the chart holds in any case.
ChartHeight chart_height(const std::vector<const CurveColumns*>& curves, double held = 0);

// A y axis from 0 that just holds `high`, with about `ticks` labels above it, or one at its round end; the 0
// goes without a label, to keep small charts quiet.
Axis close_axis(double high, int ticks);

}  // namespace glassformer
