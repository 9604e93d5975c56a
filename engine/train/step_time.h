// How long a training step takes on this machine, with whatever else runs on it now.
#pragma once

#include <functional>

#include "engine/model/config.h"
#include "engine/train/options.h"

namespace glassformer {

// Seconds, of steps on random words in sentences of ten: the median of a few, or of one where that is slow.
// `keep_going` is asked between them; false gives 0. Throws Error where the model cannot be made.
double measured_step_seconds(const Config& config, const TrainingOptions& options,
                             const std::function<bool()>& keep_going);

}  // namespace glassformer
