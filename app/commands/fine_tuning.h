// train --fine-tune: a model that has learned learns on from other pairs.
#pragma once

#include <optional>

#include "app/commands/train_arguments.h"
#include "engine/model/checkpoint.h"

namespace glassformer {

// The model that the run begins with; nothing when none is named. `options` get its limit of pieces a
// sentence. Throws CLI::ValidationError where sizes or pieces are named, since the model keeps its own, and
// Error where it cannot be read or has no tokenizer.
std::optional<Checkpoint> tuned_model(const TrainArguments& arguments, DataOptions& options);

}  // namespace glassformer
