#include "engine/model/steps/update_numbers.h"

#include <cmath>

namespace glassformer {

StepNumbers::Update update_numbers(const WeightBefore& before, AdamStep step) {
  step.gradient_scale = clip_scale(before.gradient_norm, before.clip);
  double weight = before.weight, m = before.first_moment, v = before.second_moment;
  adam_update(&weight, &before.gradient, &m, &v, 1, step);
  const auto s = static_cast<double>(step.step);
  StepNumbers::Update numbers = {{"gradient", before.gradient},
                                 {"gradient_norm", before.gradient_norm},
                                 {"clipped", before.gradient * step.gradient_scale},
                                 {"old_m", before.first_moment},
                                 {"m", m},
                                 {"m_hat", m / (1 - std::pow(step.options.beta1, s))},
                                 {"old_v", before.second_moment},
                                 {"v", v},
                                 {"v_hat", v / (1 - std::pow(step.options.beta2, s))},
                                 {"rate", step.rate},
                                 {"clip", before.clip},
                                 {"count", s},
                                 {"beta1", step.options.beta1},
                                 {"beta2", step.options.beta2},
                                 {"eps", step.options.eps},
                                 {"old_weight", before.weight},
                                 {"new_weight", weight}};
  if (!before.moments_kept) {
    for (const char* name : {"old_m", "m", "m_hat", "old_v", "v", "v_hat", "new_weight"}) numbers.erase(name);
  }
  return numbers;
}

}  // namespace glassformer
