#include "engine/recurrent/recurrent_checkpoint.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/files/safetensors.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/weights_file.h"

namespace glassformer {
namespace {

constexpr const char* kConfigFile = "config.json";
constexpr const char* kWeightsFile = "weights.safetensors";

// In double: what a file claims may be more than any whole number holds.
double numbers_in(const RecurrentConfig& config) {
  const double d = config.width, layers = config.layers, target = config.target_vocab;
  const double attention = config.recurrent_attention == RecurrentAttention::additive ? 2 * d * d + d : 0;
  return (config.source_vocab + target) * d + 2 * layers * (6 * d * d + 6 * d) + attention +
         target * config.joined_width() + target;
}

// Before memory for the model is asked for. Where little is missing, its name says more.
void check_room(const Safetensors& file, const RecurrentConfig& config) {
  double numbers = 0;
  for (const auto& [name, entry] : file.entries()) numbers += static_cast<double>(entry.count());
  if (numbers_in(config) <= 2 * numbers + 1e6) return;
  throw Error(file.where(), "the file is too small for the model that config.json describes (" +
                                std::to_string(static_cast<long>(numbers)) +
                                " numbers); it is cut off or belongs to another model");
}

void read_numbers(const Safetensors& file, RecurrentModel<float>& model) {
  std::set<std::string> known;
  model.visit([&](const std::string& name, Parameter<float> tensor) {
    copy_tensor(file, name, tensor);
    known.insert(name);
  });
  for (const auto& [name, entry] : file.entries())
    if (!known.contains(name))
      throw Error(file.where(),
                  "the tensor " + shown(name) + " does not belong to the model that config.json describes");
}

}  // namespace

RecurrentConfig read_recurrent_config(const std::string& folder) {
  const std::string file = folder + "/" + kConfigFile;
  return recurrent_config_from_json(read_json(file, kMostSettingsBytes), file);
}

RecurrentCheckpoint load_recurrent_checkpoint(const std::string& folder) {
  const RecurrentConfig config = read_recurrent_config(folder);
  const Safetensors file = Safetensors::read(folder + "/" + kWeightsFile);
  check_room(file, config);
  auto model = std::make_shared<RecurrentModel<float>>(config);
  read_numbers(file, *model);
  return {folder, std::move(model), load_tokenizers(folder, batch_config(config))};
}

void save_recurrent_model(OwnedFolder& folder, const RecurrentModel<float>& model,
                          const Tokenizers& tokenizers) {
  folder.claim({kConfigFile, kWeightsFile});
  save_tokenizers(folder, tokenizers);
  folder.write(kConfigFile, to_json(model.config).dump(2) + "\n");
  std::vector<TensorToWrite> tensors;
  add_tensors(tensors, "", model);
  write_safetensors(folder.file(kWeightsFile), std::move(tensors));
}

void save_recurrent_model(const std::string& folder, const RecurrentModel<float>& model,
                          const Tokenizers& tokenizers) {
  OwnedFolder own(folder);
  save_recurrent_model(own, model, tokenizers);
}

bool holds_recurrent_model(const std::string& folder) {
  try {
    return is_recurrent(read_json(folder + "/" + kConfigFile, kMostSettingsBytes));
  } catch (const Error&) {
    return false;
  }
}

}  // namespace glassformer
