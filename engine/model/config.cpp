#include "engine/model/config.h"

#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "engine/files/json_file.h"
#include "engine/math/error.h"

namespace glassformer {
namespace {

// The spellings of an enumeration in config.json, in the order of its values.
template <class Enum>
struct Spellings;
template <>
struct Spellings<NormPlace> {
  static constexpr std::array<std::string_view, 2> names = {"post", "pre"};
};
template <>
struct Spellings<Activation> {
  static constexpr std::array<std::string_view, 3> names = {"relu", "gelu", "swish"};
};
template <>
struct Spellings<AttentionActivation> {
  static constexpr std::array<std::string_view, 2> names = {"softmax", "relu"};
};
template <>
struct Spellings<PositionKind> {
  static constexpr auto names = [] {
    std::array<std::string_view, kPositionKinds.size()> spellings;
    for (const PositionTraits& each : kPositionKinds)
      spellings[static_cast<size_t>(each.kind)] = each.spelling;
    return spellings;
  }();
};
template <>
struct Spellings<Sharing> {
  static constexpr std::array<std::string_view, 3> names = {"none", "output", "all"};
};

template <class Enum>
std::string spelling(Enum value) {
  return std::string(Spellings<Enum>::names.at(static_cast<size_t>(value)));
}

[[noreturn]] void fail(const std::string& where, std::string_view key, const std::string& allowed,
                       const nlohmann::json& found) {
  throw Error(where, std::string(key) + " must be " + allowed + ", found " + shown(found));
}

// Reads one key after another and in the end knows which keys nobody asked for.
class Reader {
 public:
  Reader(const nlohmann::json& json, const std::string& where) : json_(json), where_(where) {
    if (!json.is_object()) throw Error(where, "expected a JSON object with the model's settings");
  }

  void read(const char* key, int& value, bool needed = false) {
    const nlohmann::json* found = find(key, needed);
    if (found == nullptr) return;
    value = whole<int>(*found, where_, key);
  }

  void read(const char* key, double& value) {
    const nlohmann::json* found = find(key, false);
    if (found == nullptr) return;
    if (!found->is_number()) fail(where_, key, "a number", *found);
    value = found->get<double>();
  }

  void read(const char* key, bool& value) {
    const nlohmann::json* found = find(key, false);
    if (found == nullptr) return;
    if (!found->is_boolean()) fail(where_, key, "true or false", *found);
    value = found->get<bool>();
  }

  template <class Enum>
  requires std::is_enum_v<Enum>
  void read(const char* key, Enum& value) {
    const nlohmann::json* found = find(key, false);
    if (found == nullptr) return;
    std::string allowed;
    for (size_t i = 0; i < Spellings<Enum>::names.size(); ++i) {
      if (found->is_string() && found->get<std::string>() == Spellings<Enum>::names[i]) {
        value = static_cast<Enum>(i);
        return;
      }
      allowed += (i == 0 ? "\"" : " or \"") + std::string(Spellings<Enum>::names[i]) + "\"";
    }
    fail(where_, key, allowed, *found);
  }

  void refuse_unknown() const {
    for (const auto& [key, value] : json_.items()) {
      if (!seen_.contains(key)) {
        throw Error(where_, "the key " + shown(key) + " is not known; remove it or correct its spelling");
      }
    }
  }

 private:
  const nlohmann::json* find(const char* key, bool needed) {
    seen_[key] = true;
    const auto entry = json_.find(key);
    if (entry != json_.end() && !entry->is_null()) return &*entry;
    if (needed) throw Error(where_, "the key \"" + std::string(key) + "\" is missing");
    return nullptr;
  }

  const nlohmann::json& json_;
  const std::string where_;
  nlohmann::json seen_ = nlohmann::json::object();
};

void check_range(const char* key, int value, int low, int high) {
  if (value >= low && value <= high) return;
  fail("model", key, "from " + std::to_string(low) + " to " + std::to_string(high), value);
}

}  // namespace

void check(const Config& config) {
  constexpr int kMost = 1 << 20;
  check_range("d_model", config.d_model, 1, 1 << 16);
  check_range("heads", config.heads, 1, config.d_model);
  if (config.d_model % config.heads != 0) {
    fail("model", "heads", "a divisor of d_model (" + std::to_string(config.d_model) + ")", config.heads);
  }
  if (!fits_head(position_traits(config.positions), config.head_width())) {
    throw Error("model", "positions \"" + spelling(config.positions) +
                             "\" turn pairs of columns and need an even d_model / heads, found " +
                             std::to_string(config.head_width()));
  }
  check_range("d_ff", config.d_ff, 1, 1 << 18);
  check_range("encoder_layers", config.encoder_layers, 1, 1000);
  check_range("decoder_layers", config.decoder_layers, 1, 1000);
  check_range("source_vocab", config.source_vocab, 1, 16 * kMost);
  check_range("target_vocab", config.target_vocab, 1, 16 * kMost);
  check_range("max_length", config.max_length, 2, kMost);
  if (!(config.dropout >= 0 && config.dropout < 1)) {
    fail("model", "dropout", "at least 0 and below 1", config.dropout);
  }
  if (!(config.attention_dropout == -1 || (config.attention_dropout >= 0 && config.attention_dropout < 1))) {
    fail("model", "attention_dropout", "at least 0 and below 1, or -1 for that of dropout",
         config.attention_dropout);
  }
  if (!(config.layer_norm_eps > 0 && config.layer_norm_eps < 1)) {
    fail("model", "layer_norm_eps", "above 0 and below 1", config.layer_norm_eps);
  }
  if (config.sharing == Sharing::all && config.source_vocab != config.target_vocab) {
    throw Error("model", "sharing \"all\" needs equal vocabularies, found source_vocab " +
                             std::to_string(config.source_vocab) + " and target_vocab " +
                             std::to_string(config.target_vocab));
  }
  const int smaller = std::min(config.source_vocab, config.target_vocab);
  check_range("pad_id", config.pad_id, 0, smaller - 1);
  check_range("unk_id", config.unk_id, 0, smaller - 1);
  check_range("bos_id", config.bos_id, 0, config.target_vocab - 1);
  check_range("eos_id", config.eos_id, 0, (config.source_eos ? smaller : config.target_vocab) - 1);
}

Config config_from_json(const nlohmann::json& json, const std::string& where) {
  Config config;
  Reader reader(json, where);
  if (json.contains("architecture") && json["architecture"] == "recurrent")
    throw Error(where,
                "this is a recurrent model, and a Transformer is wanted here; choose another folder, or use "
                "it on the command line");
  for (auto [key, member] : std::initializer_list<std::pair<const char*, int Config::*>>{
           {"d_model", &Config::d_model},
           {"heads", &Config::heads},
           {"d_ff", &Config::d_ff},
           {"encoder_layers", &Config::encoder_layers},
           {"decoder_layers", &Config::decoder_layers},
           {"source_vocab", &Config::source_vocab},
           {"target_vocab", &Config::target_vocab},
           {"max_length", &Config::max_length}}) {
    reader.read(key, config.*member, true);
  }
  reader.read("dropout", config.dropout);
  reader.read("attention_dropout", config.attention_dropout);
  reader.read("norm", config.norm);
  config.final_norm = config.norm == NormPlace::pre;
  reader.read("final_norm", config.final_norm);
  reader.read("activation", config.activation);
  reader.read("positions", config.positions);
  reader.read("scale_embeddings", config.scale_embeddings);
  reader.read("embedding_norm", config.embedding_norm);
  reader.read("attention_scale", config.attention_scale);
  reader.read("attention_activation", config.attention_activation);
  reader.read("attention_bias", config.attention_bias);
  reader.read("output_bias", config.output_bias);
  reader.read("sharing", config.sharing);
  reader.read("layer_norm_eps", config.layer_norm_eps);
  reader.read("source_eos", config.source_eos);
  reader.read("pad_id", config.pad_id);
  reader.read("unk_id", config.unk_id);
  reader.read("bos_id", config.bos_id);
  reader.read("eos_id", config.eos_id);
  reader.refuse_unknown();
  try {
    check(config);
  } catch (const Error& error) {
    throw Error(where, std::string(error.what()).substr(std::string_view("model: ").size()));
  }
  return config;
}

nlohmann::json to_json(const Config& config) {
  nlohmann::json json = nlohmann::json::object();
  json["d_model"] = config.d_model;
  json["heads"] = config.heads;
  json["d_ff"] = config.d_ff;
  json["encoder_layers"] = config.encoder_layers;
  json["decoder_layers"] = config.decoder_layers;
  json["source_vocab"] = config.source_vocab;
  json["target_vocab"] = config.target_vocab;
  json["max_length"] = config.max_length;
  json["dropout"] = config.dropout;
  if (config.attention_dropout >= 0) json["attention_dropout"] = config.attention_dropout;
  json["norm"] = spelling(config.norm);
  json["final_norm"] = config.final_norm;
  json["activation"] = spelling(config.activation);
  json["positions"] = spelling(config.positions);
  json["scale_embeddings"] = config.scale_embeddings;
  json["embedding_norm"] = config.embedding_norm;
  json["attention_scale"] = config.attention_scale;
  json["attention_activation"] = spelling(config.attention_activation);
  json["attention_bias"] = config.attention_bias;
  json["output_bias"] = config.output_bias;
  json["sharing"] = spelling(config.sharing);
  json["layer_norm_eps"] = config.layer_norm_eps;
  json["source_eos"] = config.source_eos;
  json["pad_id"] = config.pad_id;
  json["unk_id"] = config.unk_id;
  json["bos_id"] = config.bos_id;
  json["eos_id"] = config.eos_id;
  return json;
}

}  // namespace glassformer
