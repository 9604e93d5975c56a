// train --architecture: what the kinds of model differ in when they are made.
#pragma once

#include <string>

#include "app/commands/train_arguments.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/train/presets.h"

namespace glassformer {

// A recurrent model is asked for, or the run to resume is one.
bool trains_recurrent(const TrainArguments& arguments);
// Throws CLI::ValidationError naming the first option that the kind of model does not have.
void check_architecture(const TrainArguments& arguments);

const Preset& preset_of(const TrainArguments& arguments, const std::string& kind);
// Of a new model, and the options that suit it. Throws Error.
template <class Model>
ConfigOf<Model> new_config(const TrainArguments& arguments, const PreparedData& data,
                           const std::string& kind);
TrainingOptions suggested(const TrainArguments& arguments, const Config& config, const std::string& kind,
                          long pass_tokens);
TrainingOptions suggested(const TrainArguments& arguments, const RecurrentConfig& config,
                          const std::string& kind, long pass_tokens);

}  // namespace glassformer
