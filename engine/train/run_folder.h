// The state of a run in a checkpoint folder: written so that a kill at any moment leaves one whole state.
//
// New files are beside the old ones under other names (last-STEP.weights.safetensors and so on). The
// rename of training.json, which names them, is the one moment at which the new state takes the old one's
// place. Only then the best weights get their final name and the old files go.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/files/owned_folder.h"
#include "engine/train/run_json.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

template <class Model>
void write_run(TrainerState<Model>& state, const std::shared_ptr<const SnapshotOf<Model>>& kept,
               const std::string& folder);

// `here`: the run will be saved into the same folder, which nobody else may do from now on.
template <class Model>
std::unique_ptr<TrainerState<Model>> read_run(const std::string& folder,
                                              std::shared_ptr<const TrainingSet> data, int threads,
                                              bool here);

// A model whose moments were not kept: at the recorded step with the kept weights and moments of 0.
template <class Model>
std::unique_ptr<TrainerState<Model>> read_run_without_state(const std::string& folder,
                                                            std::shared_ptr<const TrainingSet> data,
                                                            int threads);

// The numbered files of a run's state, and which of them are in force: the same for every kind of model.

struct StateParts {
  bool averages = false;  // weights of earlier validations belong to the state
  bool best = false;      // the best weights are others than those of the last save
};
// Names for a new state: never those of a file that training.json may name; a second save at the same step
// gets its own number.
RunFiles free_names(const std::string& folder, long step, const StateParts& parts);

// Deletes what earlier saves left behind: states other than `files`, which training.json names.
void remove_leftovers(OwnedFolder& home, const RunFiles& files);

// training.json of a run; throws Error when there is none or it is no JSON.
nlohmann::json read_record(const std::string& folder);

}  // namespace glassformer
