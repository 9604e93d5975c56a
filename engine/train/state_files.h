// The numbered files of a run's state, and which of them are in force: the same for every kind of model.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/files/owned_folder.h"
#include "engine/train/run_json.h"

namespace glassformer {

struct StateParts {
  bool averages = false;  // weights of earlier validations belong to the state
  bool best = false;      // the best weights are others than those of the last save
};
// Names for a new state: never those of a file that training.json may name; a second save at the same step
// gets a number of its own.
RunFiles free_names(const std::string& folder, long step, const StateParts& parts);

// Deletes what earlier saves left behind: states other than `files`, which training.json names.
void remove_leftovers(OwnedFolder& home, const RunFiles& files);

// training.json of a run; throws Error when there is none or it is no JSON.
nlohmann::json read_record(const std::string& folder);

}  // namespace glassformer
