// MarianMT as Hugging Face's transformers stores it (opus-mt). Its positions are sines, then cosines, by the
// paper's i / d, whatever native Marian does.
#include "engine/files/json_file.h"
#include "engine/import/marian_names.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

// What the settings of config.json must be alike in encoder and decoder, or of one value.
class MarianSettings {
 public:
  explicit MarianSettings(const ForeignModel& model) : model_(model) {}

  int number(const char* key) const {
    return whole<int>(model_.config.value(key, nlohmann::json()), where(), key, 0);
  }
  int number(const char* key, int absent) const { return has(model_.config, key) ? number(key) : absent; }
  // generation_config.json says more of these, where there is one.
  int generated(const char* key, int absent) const {
    if (!has(model_.generation, key)) return number(key, absent);
    return whole<int>(model_.generation[key], model_.folder + "/generation_config.json", key, 0);
  }
  int same(const char* encoder, const char* decoder) const {
    const int one = number(encoder), other = number(decoder);
    if (one == other) return one;
    throw Error(where(), std::string(encoder) + " is " + std::to_string(one) + " and " + decoder + " is " +
                             std::to_string(other) + "; they must be equal here");
  }
  std::string text(const char* key, const std::string& absent) const {
    const auto found = model_.config.find(key);
    if (found == model_.config.end() || found->is_null()) return absent;
    if (!found->is_string()) throw Error(where(), std::string(key) + " must be text, found " + shown(*found));
    return found->get<std::string>();
  }
  bool flag(const char* key, bool absent) const {
    const auto found = model_.config.find(key);
    if (found == model_.config.end() || found->is_null()) return absent;
    if (!found->is_boolean())
      throw Error(where(), std::string(key) + " must be true or false, found " + shown(*found));
    return found->get<bool>();
  }
  double generated_real(const char* key, double absent) const {
    for (const nlohmann::json* json : {&model_.generation, &model_.config})
      if (has(*json, key) && (*json)[key].is_number()) return (*json)[key].get<double>();
    return absent;
  }
  // bad_words_ids: what is never written, where each is one id. A null says that nothing is forbidden.
  std::vector<int> forbidden(int pad) const {
    if (model_.generation.is_object() && model_.generation.contains("bad_words_ids") &&
        model_.generation["bad_words_ids"].is_null())
      return {};
    for (const nlohmann::json* json : {&model_.generation, &model_.config}) {
      if (!has(*json, "bad_words_ids")) continue;
      std::vector<int> ids;
      for (const nlohmann::json& words : (*json)["bad_words_ids"])
        if (words.is_array() && words.size() == 1)
          ids.push_back(whole<int>(words[0], where(), "bad_words_ids", 0));
      return ids;
    }
    return {pad};
  }
  std::string where() const { return model_.folder + "/config.json"; }

 private:
  static bool has(const nlohmann::json& json, const char* key) {
    return json.is_object() && json.contains(key) && !json[key].is_null();
  }

  const ForeignModel& model_;
};

Activation marian_activation(const MarianSettings& settings) {
  const std::string name = settings.text("activation_function", "gelu");
  for (const MarianActivation& each : kMarianActivations)
    if (name == each.name) return each.activation;
  throw Error(settings.where(), "activation_function " + shown(name) +
                                    " is not computed here; known are swish, "
                                    "silu, relu, gelu and quick_gelu");
}

Config read_config(const MarianSettings& settings) {
  Config config;
  config.d_model = settings.number("d_model");
  config.heads = settings.same("encoder_attention_heads", "decoder_attention_heads");
  config.d_ff = settings.same("encoder_ffn_dim", "decoder_ffn_dim");
  config.encoder_layers = settings.number("encoder_layers");
  config.decoder_layers = settings.number("decoder_layers");
  config.source_vocab = settings.number("vocab_size");
  config.target_vocab = settings.number("decoder_vocab_size", config.source_vocab);
  config.max_length = settings.number("max_position_embeddings", 1024);
  config.dropout = settings.generated_real("dropout", 0.1);
  config.activation = marian_activation(settings);
  config.scale_embeddings = settings.flag("scale_embedding", false);
  config.pad_id = settings.number("pad_token_id");
  config.eos_id = settings.number("eos_token_id", 0);
  config.unk_id = settings.number("unk_token_id", 1);
  config.start_id = config.bos_id = settings.generated("decoder_start_token_id", config.pad_id);
  config.forbidden_ids = settings.forbidden(config.pad_id);
  config.position_order = PositionOrder::halves;
  config.length_penalty = LengthPenalty::length;
  return config;
}

Dialect marian_dialect(const std::string& source_table, const std::string& target_table) {
  return {.encoder = "model.encoder.layers.",
          .decoder = "model.decoder.layers.",
          .self_attention = "self_attn",
          .cross_attention = "encoder_attn",
          .projections = {"q_proj", "k_proj", "v_proj"},
          .projection = "out_proj",
          .linear1 = "fc1",
          .linear2 = "fc2",
          .encoder_norms = {"self_attn_layer_norm", "final_layer_norm", ""},
          .decoder_norms = {"self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"},
          .source_table = source_table,
          .target_table = target_table,
          .output = "lm_head"};
}

ImportPlan plan_marian_mt(const ForeignModel& model, const ImportOptions&) {
  const MarianSettings settings(model);
  ImportPlan plan{.config = read_config(settings)};
  const auto table = [&](const char* own) {
    return model.has(own) || !model.has(kMarianShared) ? own : kMarianShared;
  };
  const std::string source_table = table(kMarianSource), target_table = table(kMarianTarget);
  const Dialect dialect = marian_dialect(source_table, target_table);
  model.layers(dialect.encoder), model.layers(dialect.decoder);  // they throw where one is missing
  add_marian_sources(plan, source_table, target_table, model.has(kMarianOutput));
  for (const auto& [name, tensor] : model.weights.tensors) {
    if (name.find("embed_positions") != name.npos)
      plan.ignored.push_back({name, "the sines that the configuration asks for"});
    if (name == kMarianShared && source_table != name && target_table != name)
      plan.ignored.push_back({name, "the tables of encoder and decoder are read instead"});
  }
  plan.suggested = {{"beam", settings.generated("num_beams", 4)},
                    {"alpha", settings.generated_real("length_penalty", 1)}};
  return plan;
}

}  // namespace

void add_marian_sources(ImportPlan& plan, const std::string& source_table, const std::string& target_table,
                        bool own_output) {
  add_sources(plan, marian_dialect(source_table, target_table));
  if (!own_output) plan.sources["output_projection.weight"] = {{target_table}};
  plan.sources["output_projection.bias"] = {{"final_logits_bias"}};
}

const ImportKind kMarianMt{"marian-transformers", "MarianMT, as Hugging Face keeps it",
                           [](const ForeignModel& model) {
                             return model.config.is_object() &&
                                    model.config.value("model_type", nlohmann::json()) == "marian";
                           },
                           plan_marian_mt};

}  // namespace glassformer
