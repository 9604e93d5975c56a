// The weights of a model at one training step.
#pragma once

#include <memory>
#include <string>

#include "engine/model/config.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// Weights at one training step, never changed after they were made: safe to hand between threads.
struct Snapshot {
  Config config;
  std::shared_ptr<const Transformer<float>> weights;
  std::shared_ptr<const Transformer<float>> gradients;      // of the last batch; null when not kept
  std::shared_ptr<const Transformer<float>> first_moment;   // Adam's m; null when not kept
  std::shared_ptr<const Transformer<float>> second_moment;  // Adam's v; null when not kept
  long step = 0;
  long moments_from = 0;       // the step at which Adam's moments were last 0
  double validation_loss = 0;  // NaN when unknown
};

}  // namespace glassformer
