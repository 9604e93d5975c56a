// What `glassformer train` is asked for on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "app/commands/commands.h"
#include "app/commands/data_options.h"

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

}  // namespace glassformer
