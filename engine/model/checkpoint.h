// A checkpoint folder: configuration, weights, the two tokenizers, and what is known of the training.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/snapshot.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// A checkpoint folder as it stands on disk.
struct Checkpoint {
  std::string folder;
  Snapshot snapshot;  // the weights that translate
  Tokenizers tokenizers;
  nlohmann::json training;         // training.json; null when the folder has none
  std::vector<std::string> notes;  // what was unusual in the weights, a sentence each
};

// Throws Error on anything missing, broken or not fitting the configuration.
Checkpoint load_checkpoint(const std::string& folder);
// Writes config.json, weights.safetensors and the tokenizers (training.json is the trainer's), each
// atomically.
void save_model(const std::string& folder, const Snapshot& snapshot, const Tokenizers& tokenizers);

}  // namespace glassformer
