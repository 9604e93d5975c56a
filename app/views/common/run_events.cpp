#include "app/views/common/run_events.h"

#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

std::vector<ChartMarker> run_events(const RunState& run) {
  std::vector<ChartMarker> events;
  if (run.curves)
    for (const RunMark& mark : run.curves->marks) events.push_back({double(mark.step), mark.text});
  return events;
}

void tell_events(ui::Ui& ui, const Rect& charts, const Axis& axis, const RunState& run) {
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

}  // namespace glassformer
