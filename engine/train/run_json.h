// training.json: what is known of a run, for people and for resuming.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/train/trainer_state.h"

namespace glassformer {

// The files that belong to a state, by name inside its folder; empty when there is none.
struct RunFiles {
  std::string weights;    // last-STEP.weights.safetensors
  std::string optimizer;  // last-STEP.optimizer.safetensors: m.<name>, v.<name>
  std::string averages;   // last-STEP.averages.safetensors: 0.<name>, 1.<name>, ...
  std::string best;       // best-STEP.weights.safetensors until it becomes weights.safetensors
};

template <class Model>
nlohmann::json run_to_json(const TrainerState<Model>& state, const SnapshotOf<Model>& kept,
                           const RunFiles& files);
// What every training.json says, of any kind of model. new_record() has the format and the program;
// check_record throws Error when the format is another or the data are not those that the run began with.
nlohmann::json new_record();
void check_record(const nlohmann::json& json, const TrainingSet& data, const std::string& where);
nlohmann::json data_to_json(const TrainingSet& data);
nlohmann::json schedule_to_json(const Schedule& schedule);
nlohmann::json number_or_null(double value);  // null: not finite

// How to make the data again, of its "data". What was typed as a relative path is meant from the folder in
// which it was typed, which is recorded beside it: such a path comes back absolute where it leads to a file.
DataOptions recorded_origin(const nlohmann::json& data);
// Its "schedule"; throws when that is not whole.
Schedule schedule_from_json(const nlohmann::json& json, const std::string& where);
RunFiles run_files(const nlohmann::json& json, const std::string& where);

// What a run resumes with.
struct ResumedWith {
  std::shared_ptr<const TrainingSet> data;
  int threads = 0;
};

// Everything but the tensors. Throws Error when the text is not whole or names other data.
template <class Model>
std::unique_ptr<TrainerState<Model>> run_from_json(const nlohmann::json& json, const ConfigOf<Model>& config,
                                                   const ResumedWith& with, const std::string& where);

// Of the weights that translate.
bool kept_is_validated(const nlohmann::json& json);  // false: they were saved before the first validation
long kept_step(const nlohmann::json& json, const std::string& where);
double kept_loss(const nlohmann::json& json);  // NaN when unknown
std::vector<long> averaged_steps(const nlohmann::json& json,
                                 const std::string& where);  // of the snapshots in the averages file

}  // namespace glassformer
