// What a checkpoint folder records of the run that made it: its training.json, as far as it fits. What is
// lacking or spelled otherwise is left out.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/text/data.h"
#include "engine/train/trainer.h"

namespace glassformer {

struct RunRecord {
  std::string data_name;                          // for people; empty: not recorded
  std::optional<DataOptions> data;                // how to make its training data again; absent: not recorded
  TrainingOptions options;                        // as trained, else the defaults
  LiveSettings live;                              // what of them was changed on the way
  std::optional<Schedule> schedule;               // at the end; absent: not recorded
  std::shared_ptr<const Curves> curves;           // null: not recorded
  long training_pairs = 0, validation_pairs = 0;  // 0: not recorded
  long last_step = 0;                             // of the run; the weights that translate may be earlier
  double seconds = 0;                             // spent in steps and validations
  bool resumable = false;                         // the folder holds a state to train on from
};

// `training` is the content of training.json, null when there is none.
RunRecord run_record(const nlohmann::json& training, const Config& config, const std::string& folder);

// A recorded path that is relative to the program is found wherever the program is.
void resolve_paths(DataSource& source);

// The validation with the smallest loss; null when there is none.
const ValidationPoint* best_validation(const Curves& curves);

// What the folders of runs are called, and what that means to a person.

// A free folder among the runs, "2026-11-20 17.05.31 reverse": sorts by time, says what it is.
std::string run_folder_for(const std::string& name);

// "reverse" of "2026-11-20 17.05.31 reverse"; any other name unchanged.
std::string without_time(const std::string& folder_name);

// "“reverse” of 20 November 2026, 17:05"; any other name in quotes.
std::string run_in_words(const std::string& folder_name);

// The record of a run that goes along when weights of it are saved elsewhere.

// Its training.json; null: there is none, or it cannot be read. No folder has none.
nlohmann::json recorded_training(const std::string& folder);

// Puts the training.json of the folder `from` and what it held out into the model folder `to`, whose weights
// are those of this step. The state to train on from stays behind, and so does a record that cannot be read.
// Throws Error when it cannot be written.
void copy_record(const std::string& from, long step, const std::string& to);

}  // namespace glassformer
