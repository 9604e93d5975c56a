// A model that can translate: configuration, weights, the two tokenizers, and what is known of its training.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/model/config.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// Weights at one training step, never changed after they were made: safe to hand between threads.
struct Snapshot {
  Config config;
  std::shared_ptr<const Transformer<float>> weights;
  std::shared_ptr<const Transformer<float>> gradients;      // of the last batch; null when not kept
  std::shared_ptr<const Transformer<float>> first_moment;   // Adam's m; null when not kept
  std::shared_ptr<const Transformer<float>> second_moment;  // Adam's v; null when not kept
  long step = 0;
  double validation_loss = 0;  // NaN when unknown
};

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
