#include "engine/recurrent/config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/model/config_keys.h"

namespace glassformer {

template <>
struct Spellings<RecurrentAttention> {
  static constexpr std::array<std::string_view, 3> names = {"none", "additive", "dot"};
};

namespace {

constexpr std::string_view kArchitecture = "recurrent";
constexpr bool kNeeded = true;

// Every key but "architecture".
template <class Settings, class Fn>
void visit_keys(Settings& config, Fn&& fn) {
  fn("recurrent_attention", config.recurrent_attention, kNeeded);
  fn("width", config.width, kNeeded);
  fn("layers", config.layers, kNeeded);
  fn("source_vocab", config.source_vocab, kNeeded);
  fn("target_vocab", config.target_vocab, kNeeded);
  fn("max_length", config.max_length, kNeeded);
  fn("source_eos", config.source_eos);
  fn("pad_id", config.pad_id);
  fn("unk_id", config.unk_id);
  fn("bos_id", config.bos_id);
  fn("eos_id", config.eos_id);
}

}  // namespace

void check(const RecurrentConfig& config) {
  constexpr int kMost = 1 << 20;
  check_range("width", config.width, 1, 1 << 16);
  check_range("layers", config.layers, 1, 1000);
  check_range("source_vocab", config.source_vocab, 1, 16 * kMost);
  check_range("target_vocab", config.target_vocab, 1, 16 * kMost);
  check_range("max_length", config.max_length, 2, kMost);
  const int smaller = std::min(config.source_vocab, config.target_vocab);
  check_range("pad_id", config.pad_id, 0, smaller - 1);
  check_range("unk_id", config.unk_id, 0, smaller - 1);
  check_range("bos_id", config.bos_id, 0, config.target_vocab - 1);
  check_range("eos_id", config.eos_id, 0, (config.source_eos ? smaller : config.target_vocab) - 1);
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

bool is_recurrent(const nlohmann::json& config) {
  return config.is_object() && config.contains("architecture") && config["architecture"] == kArchitecture;
}

nlohmann::json to_json(const RecurrentConfig& config) {
  nlohmann::json json = {{"architecture", kArchitecture}};
  visit_keys(config, [&](const char* key, const auto& value, bool = false) { write_key(json, key, value); });
  return json;
}

RecurrentConfig recurrent_config_from_json(const nlohmann::json& json, const std::string& where) {
  KeyReader reader(json, where);
  nlohmann::json architecture;
  reader.read("architecture", architecture);
  if (architecture.is_null())
    throw Error(where, "this is no recurrent model, which says \"architecture\": \"recurrent\" here");
  if (!is_recurrent(json))
    throw Error(where, "architecture must be \"recurrent\", found " + shown(architecture));
  RecurrentConfig config;
  visit_keys(config,
             [&](const char* key, auto& value, bool needed = false) { reader.read(key, value, needed); });
  reader.refuse_unknown();
  check_of_file(config, where);
  return config;
}

}  // namespace glassformer
