// The learning rate of the run at hand, step by step, as charts and sentences show it.
#pragma once

#include <string>
#include <vector>

#include "app/scene/run_state.h"
#include "engine/layers/schedule.h"
#include "engine/model/config.h"

namespace glassformer {

// As planned: by the run's options, without what was changed on the way; `config` gives noam its width.
Schedule run_schedule(const RunState& run, const Config& config);
// The rate of a step: as recorded where the run has been, beyond by the plan and the scale that is in force.
double run_rate(const RunState& run, const Schedule& planned, long step);
// Where every axis of steps ends, on the charts and on the slider: the planned end, or, while a run has none
// or is past it, some way beyond what has been done.
long chart_steps(const RunState& run);

// The rate over steps 1 to `last`, sampled where the curve needs it: dense at the start, and at the end of
// the warm-up.
struct RateCurve {
  std::vector<double> steps, rates;
};
RateCurve rate_curve(const Schedule& schedule, long last);
// The same of run_rate().
RateCurve run_rate_curve(const RunState& run, const Schedule& planned, long last);

// "noam, warm-up 400, factor 0.4, d 64"
std::string schedule_words(const Schedule& schedule);
// The same of the run's own: ", now × 0.5" where its rate was changed on the way.
std::string run_schedule_words(const RunState& run, const Config& config);

}  // namespace glassformer
