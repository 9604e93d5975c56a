// When a run is over by its own limits, and the sentence that says so: the same for every kind of model.
#pragma once

#include <optional>
#include <string_view>

#include "engine/train/curves.h"
#include "engine/train/options.h"
#include "engine/train/trainer.h"

namespace glassformer {

inline constexpr std::string_view kPlanExtended = "plan extended by ";  // so the RunMark begins

// How far a run has come.
struct RunProgress {
  long step = 0;
  double epoch = 0;
  double seconds = 0;
  double time_limit = 0;        // the seconds at which the minutes are over
  int without_improvement = 0;  // validations
  long best_step = 0;
  bool held_out = true;  // it validates on separate pairs
};
std::optional<Stop> limit_reached(const TrainingOptions& options, const RunProgress& progress);

long planned_steps(const TrainingOptions& options, long batches_per_epoch);  // 0: no end known
long best_step(const Curves& curves);  // of the best validation; 0: none
// The mean loss of so many steps, the last ones; NaN without any.
double recent_loss(const Curves& curves, long steps);

}  // namespace glassformer
