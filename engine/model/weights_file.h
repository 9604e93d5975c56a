// Models and gradients as safetensors files, tensors by the names of the model specification.
#pragma once

#include <string>

#include "engine/model/snapshot.h"
#include "engine/model/transformer.h"

namespace glassformer {

// Fills `model` from a file that has exactly its tensors, each in F32 and of its shape, with `prefix` before
// each name. Throws Error naming what is missing, left over or wrong. Numbers that are not finite are read as
// they are.
void read_weights(const std::string& path, Transformer<float>& model, const std::string& prefix = "");
void write_weights(const std::string& path, const Transformer<float>& model);

// Reads config.json of a checkpoint folder.
Config read_config(const std::string& folder);

// config.json and weights.safetensors alone: what computes, without tokenizers and training state.
Snapshot load_snapshot(const std::string& folder);

}  // namespace glassformer
