#include "engine/model/weights_file.h"

#include <filesystem>
#include <limits>
#include <set>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

void add_tensors(std::vector<TensorToWrite>& tensors, const std::string& prefix,
                 const Transformer<float>& model) {
  model.visit([&](const std::string& name, Parameter<const float> tensor) {
    tensors.push_back({prefix + name, tensor.shape(), tensor.data});
  });
}

void copy_tensors(const Safetensors& file, const std::string& prefix, Transformer<float>& model) {
  model.visit([&](const std::string& name, Parameter<float> tensor) {
    file.copy_floats(prefix + name, tensor.shape(), tensor.data);
  });
}

void read_weights(const std::string& path, Transformer<float>& model, const std::string& prefix) {
  const Safetensors file = Safetensors::read(path);
  copy_tensors(file, prefix, model);
  std::set<std::string> known;
  model.visit([&](const std::string& name, Parameter<float>) { known.insert(prefix + name); });
  for (const auto& [name, entry] : file.entries()) {
    if (name.starts_with(prefix) && !known.contains(name)) {
      throw Error(path,
                  "the tensor " + shown(name) + " does not belong to the model that config.json describes");
    }
  }
}

void write_weights(const std::string& path, const Transformer<float>& model) {
  std::vector<TensorToWrite> tensors;
  add_tensors(tensors, "", model);
  write_safetensors(path, std::move(tensors));
}

void check_file_holds(const std::string& path, const Config& config, int models) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw Error(path, "the file cannot be read (" + error.message() + ")");
  if (4.0 * models * static_cast<double>(parameter_count(config)) <= static_cast<double>(size)) return;
  throw Error(path, "the file is too small for the model that config.json describes (" +
                        std::to_string(size) + " bytes); it is cut off or belongs to another model");
}

Config read_config(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw Error(folder, "expected the folder of a model (config.json and weights.safetensors), found none");
  }
  const std::string path = folder + "/config.json";
  if (!std::filesystem::exists(path)) {
    throw Error(folder,
                "there is no model in this folder; choose one that holds config.json and "
                "weights.safetensors");
  }
  return config_from_json(read_json(path, kMostSettingsBytes), path);
}

Snapshot load_snapshot(const std::string& folder) {
  Snapshot snapshot;
  snapshot.config = read_config(folder);
  snapshot.validation_loss = std::numeric_limits<double>::quiet_NaN();
  const std::string path = folder + "/weights.safetensors";

  // A configuration that asks for more numbers than the file can hold is refused before memory is.
  check_file_holds(path, snapshot.config, 1);
  auto weights = std::make_shared<Transformer<float>>(snapshot.config);
  read_weights(path, *weights);
  snapshot.weights = std::move(weights);
  return snapshot;
}

}  // namespace glassformer
