// The record of a run that goes along when weights of it are saved elsewhere.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace glassformer {

// Its training.json; null: there is none, or it cannot be read. No folder has none.
nlohmann::json recorded_training(const std::string& folder);

// Puts the training.json of the folder `from` and what it held out into the model folder `to`, whose weights
// are those of this step. The state to train on from stays behind, and so does a record that cannot be read.
// Throws Error when it cannot be written.
void copy_record(const std::string& from, long step, const std::string& to);

}  // namespace glassformer
