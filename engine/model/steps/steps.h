// The Walk: every operation of one training step on one sentence pair, in the order in which it happens.
//
// Forward, from text to probabilities; the loss; backward, the same operations in reverse, each by its chain
// rule; then the optimizer's step for one chosen weight. The list follows from the configuration alone: where
// LayerNorm is, which activation, which biases, what is shared. Every named value of the model
// specification is the output of exactly one step (or is beside one, as LayerNorm's mean), and so is its
// gradient, and so is the gradient of every parameter's every number.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/layers/schedule.h"
#include "engine/model/config.h"
#include "engine/model/steps/step.h"

namespace glassformer {

// The number that the optimizer's step is shown for.
struct ChosenWeight {
  std::string name;  // "encoder.layers.0.linear1.weight"
  int row = 0, column = 0;
  bool operator==(const ChosenWeight&) const = default;
};

struct StepOptions {
  bool backward = true;
  bool show_dropout = true;            // as steps that are off, where the model would drop in training
  std::optional<ChosenWeight> weight;  // nothing: no optimizer's step
  bool clip = false;                   // the run limits the length of the gradient
  ScheduleKind schedule = ScheduleKind::noam;
};

std::vector<Step> training_steps(const Config& config, const StepOptions& options = {});

// The way forward and the loss through these layers alone, without dropout: to explain one number needs no
// list of a thousand steps.
using LayerFilter = std::function<bool(bool encoder, int layer)>;
std::vector<Step> forward_steps(const Config& config, const LayerFilter& layers);

}  // namespace glassformer
