#include "engine/import/dialect.h"

namespace glassformer {

namespace {

class SourceWriter {
 public:
  SourceWriter(ImportPlan& plan, const Dialect& dialect, const TensorSource& norms)
      : plan_(plan), dialect_(dialect), norms_(norms) {}

  void linear(const std::string& to, const std::string& from, bool bias = true) {
    plan_.sources[to + ".weight"] = {{from + ".weight"}};
    if (bias) plan_.sources[to + ".bias"] = {{from + ".bias"}};
  }
  void norm(const std::string& to, const std::string& from) {
    TensorSource gain = norms_;
    gain.from = {from + "." + dialect_.gain};
    plan_.sources[to + ".weight"] = gain;
    plan_.sources[to + ".bias"] = {{from + "." + dialect_.shift}, norms_.form};
  }
  void attention(const std::string& to, const std::string& from) {
    const bool bias = plan_.config.attention_bias;
    std::vector<std::string> weights, biases;
    for (const std::string& each : dialect_.projections) {
      if (each.empty()) continue;
      weights.push_back(from + "." + each + ".weight"), biases.push_back(from + "." + each + ".bias");
    }
    if (weights.empty()) weights = {from + ".in_proj_weight"}, biases = {from + ".in_proj_bias"};
    plan_.sources[to + ".in_proj_weight"] = {weights};
    if (bias) plan_.sources[to + ".in_proj_bias"] = {biases};
    linear(to + ".out_proj", from + "." + dialect_.projection, bias);
  }
  void layer(bool encoder, int index) {
    const std::string number = std::to_string(index) + ".";
    const std::string to = (encoder ? "encoder.layers." : "decoder.layers.") + number;
    const std::string from = (encoder ? dialect_.encoder : dialect_.decoder) + number;
    attention(to + "self_attn", from + dialect_.self_attention);
    if (!encoder) attention(to + "multihead_attn", from + dialect_.cross_attention);
    linear(to + "linear1", from + dialect_.linear1);
    linear(to + "linear2", from + dialect_.linear2);
    const auto& norms = encoder ? dialect_.encoder_norms : dialect_.decoder_norms;
    for (std::size_t i = 0; i < (encoder ? 2u : 3u); ++i)
      norm(to + "norm" + std::to_string(i + 1), from + norms[i]);
  }

 private:
  ImportPlan& plan_;
  const Dialect& dialect_;
  const TensorSource& norms_;
};

}  // namespace

void add_sources(ImportPlan& plan, const Dialect& dialect, const TensorSource& norms) {
  SourceWriter write(plan, dialect, norms);
  for (int i = 0; i < plan.config.encoder_layers; ++i) write.layer(true, i);
  for (int i = 0; i < plan.config.decoder_layers; ++i) write.layer(false, i);
  if (plan.config.final_norm) {
    write.norm("encoder.norm", dialect.encoder_norm);
    write.norm("decoder.norm", dialect.decoder_norm);
  }
  plan.sources["source_embedding.weight"] = {{dialect.source_table}};
  plan.sources["target_embedding.weight"] = {{dialect.target_table}};
  write.linear("output_projection", dialect.output);
}

void read_sizes(Config& config, const ForeignModel& model, const Dialect& dialect) {
  config.d_model = model.columns(dialect.target_table);
  config.source_vocab = model.rows(dialect.source_table);
  config.target_vocab = model.rows(dialect.target_table);
  config.encoder_layers = model.layers(dialect.encoder);
  config.decoder_layers = model.layers(dialect.decoder);
  config.d_ff = model.rows(dialect.encoder + "0." + dialect.linear1 + ".weight");
}

void assume_heads(ImportPlan& plan, const ImportOptions& options) {
  if (options.settings.contains("heads")) return;
  plan.config.heads = plan.config.d_model % 8 == 0 ? 8 : 1;
  plan.assumed.push_back({"heads", plan.config.heads, "the file does not say how many heads there are"});
}

}  // namespace glassformer
