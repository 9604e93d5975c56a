#include "engine/model/weights_file.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/files/atomic_file.h"
#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

void read_weights(const std::string& path, Transformer<float>& model, const std::string& prefix) {
  const Safetensors file = Safetensors::read(path);
  std::set<std::string> known;
  model.visit([&](const std::string& name, Parameter<float> tensor) {
    file.copy_floats(prefix + name, tensor.shape(), tensor.data);
    known.insert(prefix + name);
  });
  for (const auto& [name, entry] : file.entries()) {
    if (name.starts_with(prefix) && !known.contains(name)) {
      throw Error(path,
                  "the tensor \"" + name + "\" does not belong to the model that config.json describes");
    }
  }
}

void write_weights(const std::string& path, const Transformer<float>& model) {
  std::vector<TensorToWrite> tensors;
  model.visit([&](const std::string& name, Parameter<const float> tensor) {
    tensors.push_back({name, tensor.shape(), tensor.data});
  });
  write_safetensors(path, std::move(tensors));
}

Config read_config(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw Error(folder, "expected the folder of a model (config.json and weights.safetensors), found none");
  }
  const std::string path = folder + "/config.json";
  const std::string text = read_file(path);
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw Error(path, std::string("expected JSON, found something else: ") + error.what());
  }
  return config_from_json(json, path);
}

Snapshot load_snapshot(const std::string& folder) {
  Snapshot snapshot;
  snapshot.config = read_config(folder);
  snapshot.validation_loss = std::numeric_limits<double>::quiet_NaN();
  const std::string path = folder + "/weights.safetensors";

  // A configuration that asks for more numbers than the file can hold is refused before memory is.
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw Error(path, "the file cannot be read (" + error.message() + ")");
  const Config& c = snapshot.config;
  if (4.0 * static_cast<double>(parameter_count(c)) > static_cast<double>(size)) {
    throw Error(path, "the file is too small for the model that config.json describes (" +
                          std::to_string(size) + " bytes); it is cut off or belongs to another model");
  }
  auto weights = std::make_shared<Transformer<float>>(c);
  read_weights(path, *weights);
  snapshot.weights = std::move(weights);
  return snapshot;
}

}  // namespace glassformer
