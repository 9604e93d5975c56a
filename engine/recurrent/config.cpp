#include "engine/recurrent/config.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

void check_setting(const char* key, int value, int low, int high) {
  if (value >= low && value <= high) return;
  throw Error("model", std::string(key) + " must be from " + std::to_string(low) + " to " +
                           std::to_string(high) + ", found " + std::to_string(value));
}

}  // namespace

void check(const RecurrentConfig& config) {
  constexpr int kMost = 1 << 20;
  check_setting("width", config.width, 1, 1 << 16);
  check_setting("layers", config.layers, 1, 1000);
  check_setting("source_vocab", config.source_vocab, 1, 16 * kMost);
  check_setting("target_vocab", config.target_vocab, 1, 16 * kMost);
  check_setting("max_length", config.max_length, 2, kMost);
  const int smaller = std::min(config.source_vocab, config.target_vocab);
  check_setting("pad_id", config.pad_id, 0, smaller - 1);
  check_setting("unk_id", config.unk_id, 0, smaller - 1);
  check_setting("bos_id", config.bos_id, 0, config.target_vocab - 1);
  check_setting("eos_id", config.eos_id, 0, (config.source_eos ? smaller : config.target_vocab) - 1);
}

Config batch_config(const RecurrentConfig& config) {
  Config result;
  result.source_vocab = config.source_vocab;
  result.target_vocab = config.target_vocab;
  result.max_length = config.max_length;
  result.source_eos = config.source_eos;
  result.pad_id = config.pad_id;
  result.unk_id = config.unk_id;
  result.bos_id = config.bos_id;
  result.eos_id = config.eos_id;
  return result;
}

std::size_t parameter_count(const RecurrentConfig& config) {
  const auto d = static_cast<std::size_t>(config.width), layers = static_cast<std::size_t>(config.layers),
             source = static_cast<std::size_t>(config.source_vocab),
             target = static_cast<std::size_t>(config.target_vocab);
  const std::size_t gru = 2 * 3 * d * d + 2 * 3 * d;  // two weights and two biases for three rows a unit
  const std::size_t attention =
      config.recurrent_attention == RecurrentAttention::additive ? 2 * d * d + d : 0;
  const std::size_t output = target * static_cast<std::size_t>(config.joined_width()) + target;
  return (source + target) * d + 2 * layers * gru + attention + output;
}

// config.json of a recurrent model.
namespace {

constexpr std::string_view kArchitecture = "recurrent";
// In the order of RecurrentAttention.
constexpr std::array<std::string_view, 3> kAttentions = {"none", "additive", "dot"};

constexpr std::initializer_list<std::pair<const char*, int RecurrentConfig::*>> kSizes = {
    {"width", &RecurrentConfig::width},
    {"layers", &RecurrentConfig::layers},
    {"source_vocab", &RecurrentConfig::source_vocab},
    {"target_vocab", &RecurrentConfig::target_vocab},
    {"max_length", &RecurrentConfig::max_length}};
constexpr std::initializer_list<std::pair<const char*, int RecurrentConfig::*>> kIds = {
    {"pad_id", &RecurrentConfig::pad_id},
    {"unk_id", &RecurrentConfig::unk_id},
    {"bos_id", &RecurrentConfig::bos_id},
    {"eos_id", &RecurrentConfig::eos_id}};

// Gives one entry after another and in the end knows which nobody asked for.
class ConfigEntries {
 public:
  ConfigEntries(const nlohmann::json& json, const std::string& where) : json_(json), where_(where) {
    if (!json.is_object()) throw Error(where, "expected a JSON object with the model's settings");
  }

  const nlohmann::json* find(const std::string& key) {
    known_.insert(key);
    const auto entry = json_.find(key);
    return entry == json_.end() || entry->is_null() ? nullptr : &*entry;
  }
  const nlohmann::json& needed(const std::string& key) {
    if (const nlohmann::json* found = find(key)) return *found;
    throw Error(where_, "the key \"" + key + "\" is missing");
  }
  void refuse_unknown() const {
    for (const auto& [key, value] : json_.items())
      if (!known_.contains(key))
        throw Error(where_, "the key " + shown(key) + " is not known; remove it or correct its spelling");
  }

 private:
  const nlohmann::json& json_;
  const std::string where_;
  std::set<std::string> known_;
};

RecurrentAttention attention_of(const nlohmann::json& value, const std::string& where) {
  for (std::size_t i = 0; i < kAttentions.size(); ++i)
    if (value == kAttentions[i]) return static_cast<RecurrentAttention>(i);
  throw Error(where,
              "recurrent_attention must be \"none\" or \"additive\" or \"dot\", found " + shown(value));
}

}  // namespace

bool is_recurrent(const nlohmann::json& config) {
  return config.is_object() && config.contains("architecture") && config["architecture"] == kArchitecture;
}

nlohmann::json to_json(const RecurrentConfig& config) {
  nlohmann::json json = {
      {"architecture", kArchitecture},
      {"recurrent_attention", kAttentions.at(static_cast<std::size_t>(config.recurrent_attention))},
      {"source_eos", config.source_eos}};
  for (const auto& [key, member] : kSizes) json[key] = config.*member;
  for (const auto& [key, member] : kIds) json[key] = config.*member;
  return json;
}

RecurrentConfig recurrent_config_from_json(const nlohmann::json& json, const std::string& where) {
  ConfigEntries entries(json, where);
  const nlohmann::json* architecture = entries.find("architecture");
  if (architecture == nullptr)
    throw Error(where, "this is no recurrent model, which says \"architecture\": \"recurrent\" here");
  if (!is_recurrent(json))
    throw Error(where, "architecture must be \"recurrent\", found " + shown(*architecture));

  RecurrentConfig config;
  config.recurrent_attention = attention_of(entries.needed("recurrent_attention"), where);
  for (const auto& [key, member] : kSizes) config.*member = whole<int>(entries.needed(key), where, key);
  for (const auto& [key, member] : kIds)
    if (const nlohmann::json* found = entries.find(key)) config.*member = whole<int>(*found, where, key);
  if (const nlohmann::json* found = entries.find("source_eos")) {
    if (!found->is_boolean()) throw Error(where, "source_eos must be true or false, found " + shown(*found));
    config.source_eos = found->get<bool>();
  }
  entries.refuse_unknown();
  try {
    check(config);
  } catch (const Error& error) {
    throw Error(where, std::string(error.what()).substr(std::string_view("model: ").size()));
  }
  return config;
}

}  // namespace glassformer
