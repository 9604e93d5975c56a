// A model as PyTorch reads it: weights by the names of the model specification, the configuration, the
// tokenizers, and a page of torch.nn that computes the same.
#pragma once

#include <string>

#include "engine/model/checkpoint.h"

namespace glassformer {

// `scripts`: the folder that holds model.py and load.py. Throws Error as write_export().
void export_pytorch(const Checkpoint& model, const std::string& scripts, const std::string& folder);

}  // namespace glassformer
