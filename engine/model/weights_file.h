// Models and gradients as safetensors files, tensors by the names of the model specification.
#pragma once

#include <string>
#include <vector>

#include "engine/files/safetensors.h"
#include "engine/model/snapshot.h"
#include "engine/model/transformer.h"

namespace glassformer {

// Fills `model` from a file that has exactly its tensors, each in F32 and of its shape, with `prefix` before
// each name. Throws Error naming what is missing, left over or wrong. Numbers that are not finite are read as
// they are.
void read_weights(const std::string& path, Transformer<float>& model, const std::string& prefix = "");
void write_weights(const std::string& path, const Transformer<float>& model);

// The tensors of a model as they stand in a file, each name after `prefix`: to write several models into one
// file, and to read them out of it. Reading throws Error naming what is missing or of another shape.
void add_tensors(std::vector<TensorToWrite>& tensors, const std::string& prefix,
                 const Transformer<float>& model);
void copy_tensors(const Safetensors& file, const std::string& prefix, Transformer<float>& model);

// Throws Error when the file cannot hold the numbers of so many models: asked before memory for them is.
void check_file_holds(const std::string& path, const Config& config, int models);

// Reads config.json of a checkpoint folder.
Config read_config(const std::string& folder);

// config.json and weights.safetensors alone: what computes, without tokenizers and training state.
Snapshot load_snapshot(const std::string& folder);

}  // namespace glassformer
