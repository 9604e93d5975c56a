// What a folder holds of a run: the description of its data, from which they are made again.
#pragma once

#include <memory>
#include <string>
#include <vector>

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

// Whether a model is in the folder that a new run should not replace unasked: any but the remains of a
// first save that was cut short.
bool holds_a_model(const std::string& folder);

// What an older program, which kept no list of them, wrote in a folder whose training.json it signed; empty:
// nothing.
std::vector<std::string> names_of_older_run(const std::string& folder);

}  // namespace glassformer
