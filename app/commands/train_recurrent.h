// train --architecture recurrent: the recurrent encoder-decoder learns, with a Transformer's data, options
// and words.
#pragma once

#include <functional>
#include <string>

#include "app/commands/train_arguments.h"

namespace glassformer {

// A new one is asked for, or the run that is to go on is one.
bool trains_recurrent(const TrainArguments& arguments);
// Throws CLI::ValidationError naming the first option that the kind of model does not have.
void check_architecture(const TrainArguments& arguments);

// As the command does it: learns, saves in `folder`, says how it ended. `going`: false asks it to stop.
int train_recurrent(const TrainArguments& arguments, const std::string& folder,
                    const std::function<bool()>& going);

}  // namespace glassformer
