// The folder of a recurrent model: config.json, weights.safetensors with the tensors by their names
// (names.h), and the two tokenizers as beside a Transformer.
#pragma once

#include <memory>
#include <string>

#include "engine/files/owned_folder.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

struct RecurrentCheckpoint {
  std::string folder;
  std::shared_ptr<const RecurrentModel<float>> model;
  Tokenizers tokenizers;  // null when the folder holds none
};

// config.json of a folder. Throws Error.
RecurrentConfig read_recurrent_config(const std::string& folder);
// Throws Error on anything missing, broken, not finite or not fitting the configuration, before memory for
// what is not there is asked for.
RecurrentCheckpoint load_recurrent_checkpoint(const std::string& folder);
// Each file atomically, the weights last, since a folder is a model once they are there. Throws Error when
// files of somebody's have these names.
void save_recurrent_model(OwnedFolder& folder, const RecurrentModel<float>& model,
                          const Tokenizers& tokenizers);
void save_recurrent_model(const std::string& folder, const RecurrentModel<float>& model,
                          const Tokenizers& tokenizers);

// Whether config.json there says so; false when it cannot be read.
bool holds_recurrent_model(const std::string& folder);

}  // namespace glassformer
