// Is a gradient right? The loss with one number a little larger and a little smaller says so: its slope by
// two forward passes in double, without any derivative.
#pragma once

#include "engine/model/steps/step_sources.h"
#include "engine/model/trace.h"

namespace glassformer {

struct SlopeCheck {
  double amount = 0;            // added and taken away
  double above = 0, below = 0;  // the loss then
  double slope() const { return (above - below) / (2 * amount); }
};

// The pass of `input` (one sentence) with the number in `cell` (a gradient's or a parameter gradient's cell)
// nudged. Throws Error for a number that the pass does not go through.
SlopeCheck check_slope(const Transformer<float>& model, const TraceInput& input, const TraceOptions& options,
                       const StoredCell& cell, double amount = 1e-4);

// log-probabilities and losses of tokens are copies for looking at: the loss is not computed from them.
bool can_check(const StoredCell& cell);

}  // namespace glassformer
