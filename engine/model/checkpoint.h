// A checkpoint folder: configuration, weights, the two tokenizers, and what is known of the training.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/model/snapshot.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// A checkpoint folder on disk.
struct Checkpoint {
  std::string folder;
  Snapshot snapshot;  // the weights that translate
  Tokenizers tokenizers;
  nlohmann::json training;         // training.json; null when the folder has none
  std::vector<std::string> notes;  // what was unusual in the weights, a sentence each
};

// Throws Error on anything missing, broken or not fitting the configuration.
// `progress`: of training.json, which holds the curves.
Checkpoint load_checkpoint(const std::string& folder, const JsonProgress& progress = nullptr);
// Writes the tokenizers, config.json and weights.safetensors (training.json is the trainer's), each
// atomically; the weights last, since a folder is a model once they are there. Throws Error when files of
// somebody's have these names.
void save_model(OwnedFolder& folder, const Snapshot& snapshot, const Tokenizers& tokenizers);
void save_model(const std::string& folder, const Snapshot& snapshot, const Tokenizers& tokenizers);

// The tokenizers alone, of any kind of model: tokenizer.json and the files that it speaks of. None when the
// folder has no tokenizer.json; throws Error when they do not fit the vocabularies of `config`.
Tokenizers load_tokenizers(const std::string& folder, const Config& config);
void save_tokenizers(OwnedFolder& folder, const Tokenizers& tokenizers);

}  // namespace glassformer
