// What the charts of a run say beside its curves: changes on the way, and the rule of the learning rate.
#pragma once

#include <vector>

#include "app/reading/run_schedule.h"
#include "app/ui/ui.h"
#include "app/widgets/formula.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

// What was changed while the run was going, to be marked on a chart of its steps.
std::vector<ChartMarker> run_events(const RunState& run);
// Where the mouse is over the step of one, its words; `charts` are as wide as the axis.
void event_tooltips(ui::Ui& ui, const Rect& charts, const Axis& axis, const RunState& run);

// "factor · d^−0.5 · min( step^−0.5, step · warm-up^−1.5 )" and its rivals.
Formula schedule_formula(ScheduleKind kind);
}  // namespace glassformer
