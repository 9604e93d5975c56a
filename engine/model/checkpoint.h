// A checkpoint folder: what a model needs to translate, as files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/model/model.h"

namespace glassformer {

// A checkpoint folder as it stands on disk.
struct Checkpoint {
  std::string folder;
  Snapshot snapshot;  // the weights that translate
  Tokenizers tokenizers;
  nlohmann::json training;  // training.json; null when the folder has none
};

// Throws Error on anything missing, broken or not fitting the configuration.
Checkpoint load_checkpoint(const std::string& folder);
// Writes config.json, weights.safetensors and the tokenizers (training.json is the trainer's), each
// atomically.
void save_model(const std::string& folder, const Snapshot& snapshot, const Tokenizers& tokenizers);

}  // namespace glassformer
