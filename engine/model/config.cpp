#include "engine/model/config.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/model/config_json.h"
#include "engine/model/config_keys.h"

namespace glassformer {

template <>
struct Spellings<NormPlace> {
  static constexpr std::array<std::string_view, 2> names = {"post", "pre"};
};
template <>
struct Spellings<NormKind> {
  static constexpr std::array<std::string_view, 2> names = {kNormKinds[0].spelling, kNormKinds[1].spelling};
};
template <>
struct Spellings<FeedForwardKind> {
  static constexpr std::array<std::string_view, 2> names = {kFeedForwardKinds[0].spelling,
                                                            kFeedForwardKinds[1].spelling};
};
template <>
struct Spellings<Activation> {
  static constexpr std::array<std::string_view, 4> names = {"relu", "gelu", "swish", "gelu_sigmoid"};
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
struct Spellings<PositionOrder> {
  static constexpr std::array<std::string_view, 2> names = {"interleaved", "halves"};
};
template <>
struct Spellings<PositionDivisor> {
  static constexpr std::array<std::string_view, 2> names = {"d", "d-2"};
};
template <>
struct Spellings<LengthPenalty> {
  static constexpr std::array<std::string_view, 2> names = {"gnmt", "power"};
};
template <>
struct Spellings<Sharing> {
  static constexpr std::array<std::string_view, 3> names = {"none", "output", "all"};
};

namespace {

constexpr bool kNeeded = true;

// Every key; `norm` before `final_norm`, whose default follows from it.
template <class Settings, class Fn>
void visit_keys(Settings& config, Fn&& fn) {
  fn("d_model", config.d_model, kNeeded);
  fn("heads", config.heads, kNeeded);
  fn("d_ff", config.d_ff, kNeeded);
  fn("encoder_layers", config.encoder_layers, kNeeded);
  fn("decoder_layers", config.decoder_layers, kNeeded);
  fn("source_vocab", config.source_vocab, kNeeded);
  fn("target_vocab", config.target_vocab, kNeeded);
  fn("max_length", config.max_length, kNeeded);
  fn("dropout", config.dropout);
  fn("attention_dropout", config.attention_dropout);
  fn("norm", config.norm);
  fn("norm_kind", config.norm_kind);
  fn("final_norm", config.final_norm);
  fn("feed_forward", config.feed_forward);
  fn("activation", config.activation);
  fn("positions", config.positions);
  fn("scale_embeddings", config.scale_embeddings);
  fn("embedding_norm", config.embedding_norm);
  fn("attention_scale", config.attention_scale);
  fn("attention_activation", config.attention_activation);
  fn("attention_bias", config.attention_bias);
  fn("output_bias", config.output_bias);
  fn("sharing", config.sharing);
  fn("layer_norm_eps", config.layer_norm_eps);
  fn("source_eos", config.source_eos);
  fn("pad_id", config.pad_id);
  fn("unk_id", config.unk_id);
  fn("bos_id", config.bos_id);
  fn("eos_id", config.eos_id);
  fn("source_bos", config.source_bos);
  fn("start_id", config.start_id);
  fn("forbidden_ids", config.forbidden_ids);
  fn("position_order", config.position_order);
  fn("position_divisor", config.position_divisor);
  fn("length_penalty", config.length_penalty);
}

// Keys that only models of other programs need: those that train here have the paper's choice, and their
// files go without.
constexpr std::string_view kRareKeys[] = {"source_bos",     "start_id",         "forbidden_ids",
                                          "position_order", "position_divisor", "length_penalty"};

// ", that is 1, 2, 4 or 8"
std::string possible_heads(const Config& config) {
  std::vector<int> possible;
  for (int heads = 1; heads <= config.d_model; ++heads)
    if (config.d_model % heads == 0 && fits_head(position_traits(config.positions), config.d_model / heads))
      possible.push_back(heads);
  std::string text;
  for (const int heads : possible) {
    const bool first = heads == possible.front(), last = heads == possible.back();
    text += (first ? ", that is " : last ? " or " : ", ") + std::to_string(heads);
  }
  return text;
}

}  // namespace

void check(const Config& config) {
  constexpr int kMost = 1 << 20;
  check_range("d_model", config.d_model, 1, 1 << 16);
  check_range("heads", config.heads, 1, config.d_model);
  if (config.d_model % config.heads != 0) {
    refuse_setting("model", "heads",
                   "a divisor of d_model (" + std::to_string(config.d_model) + ")" + possible_heads(config),
                   config.heads);
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
    refuse_setting("model", "dropout", "at least 0 and below 1", config.dropout);
  }
  if (!(config.attention_dropout == -1 || (config.attention_dropout >= 0 && config.attention_dropout < 1))) {
    refuse_setting("model", "attention_dropout", "at least 0 and below 1, or -1 for that of dropout",
                   config.attention_dropout);
  }
  if (!(config.layer_norm_eps > 0 && config.layer_norm_eps < 1)) {
    refuse_setting("model", "layer_norm_eps", "above 0 and below 1", config.layer_norm_eps);
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
  if (config.start_id != -1) check_range("start_id", config.start_id, 0, config.target_vocab - 1);
  for (const int id : config.forbidden_ids) check_range("forbidden_ids", id, 0, config.target_vocab - 1);
  if (std::ssize(config.forbidden_ids) >= config.target_vocab)
    throw Error("model", "forbidden_ids leaves no id to write");
}

Config config_from_json(const nlohmann::json& json, const std::string& where) {
  KeyReader reader(json, where);
  if (json.contains("architecture") && json["architecture"] == "recurrent")
    throw Error(where,
                "this is a recurrent model, and a Transformer is wanted here; choose another folder, or use "
                "it on the command line");
  if (json.contains("model_type"))
    throw Error(where, "it is of another program's model; glassformer import makes that one of ours");
  Config config;
  visit_keys(config, [&](const char* key, auto& value, bool needed = false) {
    if (std::string_view(key) == "final_norm") config.final_norm = config.norm == NormPlace::pre;
    reader.read(key, value, needed);
  });
  reader.refuse_unknown();
  check_of_file(config, where);
  return config;
}

nlohmann::json all_keys(const Config& config) {
  nlohmann::json json = nlohmann::json::object();
  visit_keys(config, [&](const char* key, const auto& value, bool = false) { write_key(json, key, value); });
  if (config.start_id < 0) json.erase("start_id");
  return json;
}

nlohmann::json to_json(const Config& config) {
  nlohmann::json json = all_keys(config);
  if (config.attention_dropout < 0) json.erase("attention_dropout");
  static const nlohmann::json usual = all_keys(Config());
  for (const std::string_view key : kRareKeys)
    if (json.value(key, nlohmann::json()) == usual.value(key, nlohmann::json())) json.erase(std::string(key));
  return json;
}

}  // namespace glassformer
