// The data of a run that is to go on: described in its training.json, made again from there.
#pragma once

#include <memory>
#include <string>

#include "engine/text/data.h"
#include "engine/train/trainer.h"

namespace glassformer {

// What training.json says of where the data came from. Throws Error when the folder holds no run, or one
// whose data it does not know.
DataOptions run_data_options(const std::string& folder);

// The data again, in pieces of the folder's own tokenizers. Throws Error as prepare_data does (a file that
// has moved).
std::shared_ptr<const TrainingSet> run_data(const std::string& folder, const DataOptions& options,
                                            const DataProgress& progress = {});

}  // namespace glassformer
