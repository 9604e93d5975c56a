#include "engine/model/weights_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

void check_finite(const std::string& where, const std::string& name, const Parameter<float>& tensor) {
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (std::isfinite(tensor.data[i])) continue;
    throw Error(where, "the tensor " + shown(name) + " holds NaN or infinity (number " +
                           std::to_string(i + 1) + " of " + std::to_string(tensor.size()) +
                           "); its training failed, or the file is damaged: take an earlier copy");
  }
}

// What is before each name, such as "module." or "_orig_mod.": the parts that all names begin with. The
// names of a model begin with several.
std::string shared_prefix(const Safetensors& file) {
  if (file.entries().size() < 2) return "";
  std::string prefix = file.entries().begin()->first;
  for (const auto& [name, entry] : file.entries())
    prefix.resize(static_cast<std::size_t>(std::ranges::mismatch(prefix, name).in1 - prefix.begin()));
  prefix.resize(prefix.rfind('.') + 1);  // nothing when there is no point in it
  return prefix;
}

// The tensor that serves for this one, by the sharing in config.json; empty when none does.
std::string shared_with(const std::string& name, const Config& config) {
  const bool shared =
      (name == output_value(ValueKind::output_weight) && config.sharing != Sharing::none) ||
      (name == embedding_value(true, ValueKind::embedding_table) && config.sharing == Sharing::all);
  return shared ? embedding_value(false, ValueKind::embedding_table) : "";
}

// Before memory for the model is asked for.
void check_numbers(const Safetensors& file, const Config& config) {
  double numbers = 0;
  for (const auto& [name, entry] : file.entries()) {
    if (!file.holds_floats(name))
      throw Error(file.where(), "the tensor " + shown(name) + " is of the format " + entry.type +
                                    "; weights are read as F32, F16, BF16 or F64");
    numbers += static_cast<double>(entry.count());
  }
  // Where little is missing, its name says more.
  if (static_cast<double>(parameter_count(config)) <= 2 * numbers + 1e6) return;
  throw Error(file.where(), "the file is too small for the model that config.json describes (" +
                                std::to_string(static_cast<long>(numbers)) +
                                " numbers); it is cut off or belongs to another model");
}

}  // namespace

void copy_tensor(const Safetensors& file, const std::string& name, const Parameter<float>& tensor) {
  file.copy_floats(name, tensor.shape(), tensor.data);
  check_finite(file.where(), name, tensor);
}

std::vector<std::string> read_weights(const Safetensors& file, Transformer<float>& model) {
  std::vector<std::string> notes;
  const std::string prefix = shared_prefix(file);
  if (!prefix.empty())
    notes.push_back("every tensor is named " + shown(prefix + "...") + "; it was read without that");

  std::set<std::string> known, formats;
  model.visit([&](const std::string& name, Parameter<float> tensor) {
    copy_tensor(file, prefix + name, tensor);
    known.insert(prefix + name);
    formats.insert(file.at(prefix + name).type);
  });
  formats.erase("F32");
  for (const std::string& format : formats)
    notes.push_back("numbers stored as " + format + " are computed with as F32");

  for (const auto& [name, entry] : file.entries()) {
    if (known.contains(name)) continue;
    const std::string other = shared_with(name.substr(prefix.size()), model.config);
    if (other.empty())
      throw Error(file.where(),
                  "the tensor " + shown(name) + " does not belong to the model that config.json describes");
    if (!file.same(name, prefix + other))
      throw Error(file.where(), "the tensor " + shown(name) + " differs from " + shown(prefix + other) +
                                    ", though config.json says that they are one; change \"sharing\" there");
    notes.push_back(shown(name) + " is stored beside " + shown(prefix + other) + ", to which it is equal");
  }
  return notes;
}

void write_weights(const std::string& path, const Transformer<float>& model) {
  std::vector<TensorToWrite> tensors;
  add_tensors(tensors, "", model);
  write_safetensors(path, std::move(tensors));
}

void check_file_holds(const std::string& path, std::size_t numbers) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw Error(path, "the file cannot be read (" + error.message() + ")");
  if (4.0 * static_cast<double>(numbers) <= static_cast<double>(size)) return;
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

Snapshot load_snapshot(const std::string& folder, std::vector<std::string>* notes) {
  Snapshot snapshot;
  snapshot.config = read_config(folder);
  snapshot.validation_loss = std::numeric_limits<double>::quiet_NaN();
  const Safetensors file = Safetensors::read(folder + "/weights.safetensors");
  check_numbers(file, snapshot.config);
  auto weights = std::make_shared<Transformer<float>>(snapshot.config, Transformer<float>::Numbers::unset);
  const std::vector<std::string> found = read_weights(file, *weights);
  if (notes != nullptr) *notes = found;
  snapshot.weights = std::move(weights);
  return snapshot;
}

}  // namespace glassformer
