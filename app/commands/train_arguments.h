// What `glassformer train` is asked for on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/commands/commands.h"
#include "app/commands/data_options.h"
#include "engine/files/owned_folder.h"
#include "engine/layers/schedule.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/text/data.h"
#include "engine/train/options.h"
#include "engine/train/trainer.h"

namespace glassformer {

struct TrainArguments {
  CommonOptions common;
  DataArguments data;
  std::string out, resume, preset;
  std::string fine_tune;  // folder of the model whose weights and tokenizers a new run begins with
  int history = 0;        // MB
  bool overwrite = false, json = false;
  // `--steps 0`: the model as it begins is saved, and nothing learned. Its plan is the one without the
  // option: in training.json 0 steps mean no such limit.
  bool beginning_alone = false;
  std::map<std::string, std::string> model;      // keys of config.json as typed
  std::string architecture;                      // "transformer", "recurrent" or empty
  std::map<std::string, std::string> recurrent;  // keys of a recurrent model's config.json as typed
  std::map<std::string, std::string> training;   // keys of TrainingOptions as typed
};

std::string option_name(std::string key);  // "d_model" to "--d-model"
void add_model_options(CLI::App& command, TrainArguments& arguments);
void add_recurrent_options(CLI::App& command, TrainArguments& arguments);
void add_training_options(CLI::App& command, TrainArguments& arguments);

// What the command line of `glassformer train` comes to: options of the run, its folder, its limits. The same
// for every kind of model.

inline constexpr int kRoom = 64;          // max_length of a model for short sentences
inline constexpr int kMost = 1000000000;  // steps or validations

// A number or a truth value as JSON knows it, else text.
nlohmann::json typed(const std::string& text);
// Of the data that a new run is to learn from, where sentences may have as many pieces as --max-length, or
// usually what a model takes.
void limit_sentences(const TrainArguments& arguments, DataOptions& options);

// What is wrong with an option is wrong usage, wherever it is found.
template <class Work>
auto as_usage(Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
}

// The options of a new run: what was typed over what suits (presets.h).
TrainingOptions training_options(const TrainArguments& arguments, TrainingOptions suggested);

// The folder that --out names, this program's alone from here on, before any data are read. Only what this
// program wrote there is replaced.
OwnedFolder claimed(const std::string& folder, bool overwrite);
bool is_same_folder(const std::string& one, const std::string& other);
// A run that is resumed in its folder does so under one name, however --out spells it: its files are known by
// it.
std::string out_folder(const TrainArguments& arguments);

// A schedule that falls before its rise is over never reaches the rate that was asked for.
void report_long_warmup(const Schedule& schedule);
// An embedding that is to stay as it begins and begins with random numbers, since no vectors are given for
// it.
void report_frozen_as_drawn(const std::string& frozen, const TrainingSet& data, const Config& config);
// Where a resumed run learns past the end of a schedule that falls to 0; `steps`: its limit, 0: none.
void report_schedule_over(const Schedule& schedule, bool ended, long steps);

// The data of the run in a folder: those that are named, else its own.
std::shared_ptr<const TrainingSet> resumed_data(const TrainArguments& arguments,
                                                const DataProgress& progress);
// A resumed run keeps its model and has begun. Throws CLI::ValidationError.
void check_resumed(const TrainArguments& arguments);
// Later limits as typed, over those of the run; false: the option is none of them. Throws
// CLI::ValidationError on what is no number.
bool take_limit(const std::string& key, const std::string& text, TrainingOptions& limits);
// Where one limit is named the others fall.
void forget_limits(const TrainArguments& arguments, TrainingOptions& limits);

// train --fine-tune: a trained model is trained on other pairs.

// The model that the run begins with; nothing when none is named. `options` get its limit of pieces a
// sentence. Throws CLI::ValidationError where sizes or pieces are named, since the model keeps its own, and
// Error where it cannot be read or has no tokenizer.
std::optional<Checkpoint> tuned_model(const TrainArguments& arguments, DataOptions& options);

}  // namespace glassformer
