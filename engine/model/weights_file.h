// Models and gradients as safetensors files, tensors by the names of the model specification.
#pragma once

#include <string>
#include <vector>

#include "engine/files/safetensors.h"
#include "engine/model/snapshot.h"
#include "engine/model/transformer.h"

namespace glassformer {

// Fills `model` from a file that has exactly its tensors, each of its shape, in F32, F16, BF16 or F64. A
// prefix that all names share ("module.") is taken off, and a matrix that config.json says is shared may be
// stored twice, equal to the bit. Returns a sentence for each of these that was met. Throws Error naming what
// is missing, left over, wrong, or not finite.
std::vector<std::string> read_weights(const Safetensors& file, Transformer<float>& model);
void write_weights(const std::string& path, const Transformer<float>& model);

// The tensors of a model as in a file, each name after `prefix`: to write several models into one
// file, and to read them out of it. Reading throws Error naming what is missing, of another shape or not
// finite.
template <class Model>
void add_tensors(std::vector<TensorToWrite>& tensors, const std::string& prefix, const Model& model) {
  model.visit([&](const std::string& name, Parameter<const float> tensor) {
    tensors.push_back({prefix + name, tensor.shape(), tensor.data});
  });
}
void copy_tensor(const Safetensors& file, const std::string& name, const Parameter<float>& tensor);
template <class Model>
void copy_tensors(const Safetensors& file, const std::string& prefix, Model& model) {
  model.visit(
      [&](const std::string& name, Parameter<float> tensor) { copy_tensor(file, prefix + name, tensor); });
}

// Throws Error when the file cannot hold so many numbers: asked before memory for them is.
void check_file_holds(const std::string& path, std::size_t numbers);

// Reads config.json of a checkpoint folder.
Config read_config(const std::string& folder);

// config.json and weights.safetensors alone: what computes, without tokenizers and training state.
// `notes` gets what read_weights says.
Snapshot load_snapshot(const std::string& folder, std::vector<std::string>* notes = nullptr);

}  // namespace glassformer
