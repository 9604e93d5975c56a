// An ablation: the same run with one thing changed. Same data, same order, same seed; what differs in the
// curves comes from that one thing (paper, section 6.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/layers/schedule.h"
#include "engine/model/config.h"
#include "engine/train/options.h"

namespace glassformer {

struct Variation {
  std::string about;  // what is changed: "Layer norm"
  std::string name;   // to what: "before each sublayer"
  std::string shows;  // what to look at, a sentence
  Config config;      // vocabulary sizes and special ids as given
  TrainingOptions training;
};

// The run on another schedule. Noam's factor is taken for the model's own width.
TrainingOptions with_schedule(TrainingOptions training, const Schedule& schedule, int d_model);

// The run with settings of `glassformer train`, any number of them with commas between: "heads = 6, dropout =
// 0.3", "layers 3". Throws Error that names the one that is wrong, or says that nothing is changed.
Variation variation_by(const Config& config, const TrainingOptions& training, std::string_view settings);

// Every variation that a run by these can have, those about the same thing one after another.
std::vector<Variation> variations(const Config& config, const TrainingOptions& training);

}  // namespace glassformer
