// Marian's own files: an .npz whose special:model.yml says what the model is. Sines, then cosines, whose
// wavelengths go by i / (d/2 - 1), and norms with 1e-6: other than the copies in Hugging Face's layout.
#include <yaml-cpp/yaml.h>

#include <filesystem>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/import/import_plan.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

YAML::Node parse_yaml(const std::string& text, const std::string& where) try {
  const YAML::Node node = YAML::Load(text);
  if (node.IsMap()) return node;
  throw Error(where, "expected settings, a key and a value a line");
} catch (const YAML::Exception&) {
  throw Error(where, "it is no YAML that can be read");
}

class Options {
 public:
  Options(YAML::Node node, std::string where) : node_(std::move(node)), where_(std::move(where)) {}

  std::string text(const char* key, const std::string& absent) const {
    const YAML::Node value = node_[key];
    return value && value.IsScalar() ? value.Scalar() : absent;
  }
  int number(const char* key, int absent) const {
    const YAML::Node value = node_[key];
    if (!value) return absent;
    int number = 0;
    if (!value.IsScalar() || !YAML::convert<int>::decode(value, number)) refuse(key, "a whole number");
    return number;
  }
  double real(const char* key, double absent) const {
    const YAML::Node value = node_[key];
    double number = absent;
    if (value && (!value.IsScalar() || !YAML::convert<double>::decode(value, number)))
      refuse(key, "a number");
    return number;
  }

  // Of the options that would make another model: this value or none.
  void need(const char* key, const std::string& value) const {
    const std::string found = text(key, value);
    if (found != value) refuse(key, shown(value) + " here");
  }
  void need_empty_list(const char* key) const {
    const YAML::Node value = node_[key];
    if (value && value.IsSequence() && value.size() > 0) refuse(key, "empty here");
  }
  // 0 of the second: as the first.
  void need_equal(const char* one, const char* other, int absent) const {
    const int a = number(one, absent), b = number(other, a);
    if (b != 0 && a != b)
      throw Error(where_, std::string(one) + " is " + std::to_string(a) + " and " + other + " is " +
                              std::to_string(b) + "; they must be equal here");
  }
  // A row of steps, d for dropout: nothing else, or (`norm`) a norm.
  void need_norm_alone(const char* key, const char* absent, bool norm) const {
    std::string steps = text(key, absent);
    std::erase(steps, 'd');
    if (!steps.empty() && !(norm && steps == "n")) refuse(key, norm ? "nothing, d or n" : "nothing or d");
  }
  [[noreturn]] void refuse(const char* key, const std::string& wanted) const {
    throw Error(where_, std::string(key) + " must be " + wanted + ", found " + shown(YAML::Dump(node_[key])));
  }

 private:
  YAML::Node node_;
  std::string where_;
};

void check_architecture(const Options& options) {
  options.need("type", "transformer");
  options.need("transformer-decoder-autoreg", "self-attention");
  options.need_norm_alone("transformer-postprocess-emb", "d", false);
  options.need_norm_alone("transformer-postprocess-top", "", true);
  options.need("transformer-ffn-depth", "2");
  options.need_equal("transformer-dim-ffn", "transformer-decoder-dim-ffn", 2048);
  options.need("transformer-no-projection", "false");
  options.need("transformer-train-position-embeddings", "false");
  options.need("transformer-no-affine", "false");
  options.need_empty_list("transformer-tied-layers");
  options.need("factors-combine", "sum");
  options.need("lemma-dim-emb", "0");
}

bool norms_before(const Options& options) {
  const std::string before = options.text("transformer-preprocess", ""),
                    after = options.text("transformer-postprocess", "dan");
  if (before.empty() && (after == "dan" || after == "an")) return false;
  if ((before == "n" || before == "dn") && (after == "da" || after == "a")) return true;
  options.refuse(before.empty() ? "transformer-postprocess" : "transformer-preprocess",
                 "\"\" before and \"dan\" after a sub-layer, or \"n\" and \"da\",");
}

Activation npz_activation(const Options& options) {
  const std::string name = options.text("transformer-ffn-activation", "swish");
  if (name == "swish") return Activation::swish;
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu_sigmoid;  // x sigmoid(1.702 x), as Marian computes it
  options.refuse("transformer-ffn-activation", "swish, relu or gelu");
}

std::string table_of(const ForeignModel& model, bool source) {
  const char* const own = source ? "encoder_Wemb" : "decoder_Wemb";
  return model.has(own) ? own : "Wemb";
}

Config npz_config(const ForeignModel& model, const Options& options) {
  Config config;
  config.d_model = model.columns(table_of(model, false));
  config.heads = options.number("transformer-heads", 8);
  config.d_ff = options.number("transformer-dim-ffn", 2048);
  config.encoder_layers = model.layers("encoder_l", 1);
  config.decoder_layers = model.layers("decoder_l", 1);
  // The file has no padding: an id is added, its row 0.
  config.source_vocab = model.rows(table_of(model, true)) + 1;
  config.target_vocab = model.rows(table_of(model, false)) + 1;
  config.max_length = 512;
  config.dropout = options.real("transformer-dropout", 0.1);
  config.norm = norms_before(options) ? NormPlace::pre : NormPlace::post;
  config.final_norm = model.has("encoder_top_ln_scale");
  config.activation = npz_activation(options);
  config.attention_bias = model.has("encoder_l1_self_bq");
  config.layer_norm_eps = 1e-6;
  config.position_order = PositionOrder::halves, config.position_divisor = PositionDivisor::d_less_two;
  config.length_penalty = LengthPenalty::length;
  config.eos_id = 0, config.unk_id = 1;
  if (config.source_vocab != config.target_vocab)
    throw Error(model.weights.where, "its tables have " + std::to_string(config.source_vocab - 1) + " and " +
                                         std::to_string(config.target_vocab - 1) +
                                         " rows; they must be equal here");
  config.pad_id = config.target_vocab - 1;
  config.bos_id = config.start_id = config.pad_id;
  config.forbidden_ids = {config.pad_id};
  return config;
}

class NpzSources {
 public:
  NpzSources(ImportPlan& plan) : plan_(plan), ending_(plan.config.norm == NormPlace::pre ? "_pre" : "") {}

  void attention(const std::string& to, const std::string& from) {
    const bool bias = plan_.config.attention_bias;
    add(to + ".in_proj_weight", {from + "_Wq", from + "_Wk", from + "_Wv"}, TensorForm::transposed);
    add(to + ".out_proj.weight", {from + "_Wo"}, TensorForm::transposed);
    if (!bias) return;
    add(to + ".in_proj_bias", {from + "_bq", from + "_bk", from + "_bv"});
    add(to + ".out_proj.bias", {from + "_bo"});
  }
  void norm(const std::string& to, const std::string& from, bool top = false) {
    const std::string ending = top ? std::string() : ending_;
    add(to + ".weight", {from + "_ln_scale" + ending});
    add(to + ".bias", {from + "_ln_bias" + ending});
  }
  void layer(const std::string& side, int index) {
    const std::string to = side + ".layers." + std::to_string(index) + ".";
    const std::string from = side + "_l" + std::to_string(index + 1) + "_";
    const bool decoder = side == "decoder";
    attention(to + "self_attn", from + "self");
    norm(to + "norm1", from + "self_Wo");
    if (decoder) attention(to + "multihead_attn", from + "context"), norm(to + "norm2", from + "context_Wo");
    for (const char* const n : {"1", "2"}) {
      add(to + "linear" + n + ".weight", {from + "ffn_W" + n}, TensorForm::transposed);
      add(to + "linear" + n + ".bias", {from + "ffn_b" + n});
    }
    norm(to + (decoder ? "norm3" : "norm2"), from + "ffn_ffn");
  }
  void add(const std::string& to, std::vector<std::string> from, TensorForm form = TensorForm::same) {
    plan_.sources[to] = {std::move(from), form};
  }

 private:
  ImportPlan& plan_;
  std::string ending_;
};

// decoder.yml beside the model: how its makers translate with it.
nlohmann::json npz_suggestion(const std::string& folder) {
  const std::string path = folder + "/decoder.yml";
  if (!std::filesystem::is_regular_file(path)) return {{"beam", 4}, {"alpha", 1}};
  const Options options(parse_yaml(read_file(path, kMostSettingsBytes), path), path);
  return {{"beam", options.number("beam-size", 4)}, {"alpha", options.real("normalize", 1)}};
}

ImportPlan plan_marian_npz(const ForeignModel& model, const ImportOptions&) {
  const std::string where = model.weights.where + ", special:model.yml";
  const Options options(parse_yaml(model.weights.settings, where), where);
  check_architecture(options);
  ImportPlan plan{.config = npz_config(model, options)};
  const Config& config = plan.config;
  NpzSources write(plan);
  for (int i = 0; i < config.encoder_layers; ++i) write.layer("encoder", i);
  for (int i = 0; i < config.decoder_layers; ++i) write.layer("decoder", i);
  if (config.final_norm) {
    write.norm("encoder.norm", "encoder_top", true);
    write.norm("decoder.norm", "decoder_top", true);
  }
  write.add("source_embedding.weight", {table_of(model, true)}, TensorForm::one_row_more);
  write.add("target_embedding.weight", {table_of(model, false)}, TensorForm::one_row_more);
  write.add("output_projection.bias", {"decoder_ff_logit_out_b"}, TensorForm::one_row_more);
  const bool untied = model.has("decoder_ff_logit_out_W");
  write.add("output_projection.weight", {untied ? "decoder_ff_logit_out_W" : table_of(model, false)},
            untied ? TensorForm::transposed_one_row_more : TensorForm::one_row_more);
  plan.assumed.push_back(
      {"pad_id", config.pad_id, "the file has no padding; an id with a row of zeros is added"});
  plan.suggested = npz_suggestion(model.folder);
  return plan;
}

}  // namespace

const ImportKind kMarianNpz{"marian-npz", "Marian",
                            [](const ForeignModel& model) { return !model.weights.settings.empty(); },
                            plan_marian_npz};

}  // namespace glassformer
