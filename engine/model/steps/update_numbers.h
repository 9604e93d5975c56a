// The optimizer's step for one weight, with every number on the way: what the update steps show.
#pragma once

#include "engine/layers/adam.h"
#include "engine/model/steps/step_numbers.h"

namespace glassformer {

// What the step starts from.
struct WeightBefore {
  double weight = 0, gradient = 0;
  double first_moment = 0, second_moment = 0;  // Adam's m and v; 0 before the first step
  bool moments_kept = true;                    // false: m and v are not known, nor what follows from them
  double gradient_norm = 0;                    // of all gradients together
  double clip = 0;                             // largest length of the gradient; 0: no limit
};

// By the names of the update steps' operands: "gradient", "gradient_norm", "clipped", "old_m", "m", "m_hat",
// "old_v", "v", "v_hat", "rate", "old_weight", "new_weight"; those that can be known; and what they are made
// with: "clip", "count" (of Adam's steps), "beta1", "beta2", "eps". `step.gradient_scale` is taken from the
// clip.
StepNumbers::Update update_numbers(const WeightBefore& before, AdamStep step);

}  // namespace glassformer
