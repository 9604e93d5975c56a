// Three models of courses: the tutorial of pytorch.org on torch.nn.Transformer, the Annotated Transformer,
// and hkproj's.
#include <cmath>

#include "engine/import/dialect.h"

namespace glassformer {

namespace {

// What all three do: the source between bos and eos, sines, embeddings times sqrt(d), ReLU.
void set_as_in_courses(Config& config, int pad, int unk, int bos, int eos) {
  config.source_bos = true;
  config.pad_id = pad, config.unk_id = unk, config.bos_id = bos, config.eos_id = eos;
}

constexpr std::string_view kFoldedNorm =
    "each norm divides by s + 1e-6, its s over d - 1; here by s over d, and the gain is multiplied by "
    "sqrt((d - 1) / d): equal but for 1e-6 / s";

// The norms of two of them divide by s + e, s over d - 1; ours by sqrt(s^2 + e), s over d.
TensorSource folded_norm(ImportPlan& plan) {
  const double d = plan.config.d_model;
  plan.config.layer_norm_eps = 1e-12;
  plan.changed.push_back({kFoldedNorm, 1e-6});
  return {.from = {}, .factor = std::sqrt((d - 1) / d)};
}

Dialect tutorial_dialect() {
  return {.encoder = "transformer.encoder.layers.",
          .decoder = "transformer.decoder.layers.",
          .self_attention = "self_attn",
          .cross_attention = "multihead_attn",
          .projections = {},
          .projection = "out_proj",
          .linear1 = "linear1",
          .linear2 = "linear2",
          .encoder_norms = {"norm1", "norm2", ""},
          .decoder_norms = {"norm1", "norm2", "norm3"},
          .encoder_norm = "transformer.encoder.norm",
          .decoder_norm = "transformer.decoder.norm",
          .source_table = "src_tok_emb.embedding.weight",
          .target_table = "tgt_tok_emb.embedding.weight",
          .output = "generator"};
}

Dialect annotated_dialect() {
  return {.encoder = "encoder.layers.",
          .decoder = "decoder.layers.",
          .self_attention = "self_attn",
          .cross_attention = "src_attn",
          .projections = {"linears.0", "linears.1", "linears.2"},
          .projection = "linears.3",
          .linear1 = "feed_forward.w_1",
          .linear2 = "feed_forward.w_2",
          .encoder_norms = {"sublayer.0.norm", "sublayer.1.norm", ""},
          .decoder_norms = {"sublayer.0.norm", "sublayer.1.norm", "sublayer.2.norm"},
          .encoder_norm = "encoder.norm",
          .decoder_norm = "decoder.norm",
          .gain = "a_2",
          .shift = "b_2",
          .source_table = "src_embed.0.lut.weight",
          .target_table = "tgt_embed.0.lut.weight",
          .output = "generator.proj"};
}

Dialect hkproj_dialect() {
  return {.encoder = "encoder.layers.",
          .decoder = "decoder.layers.",
          .self_attention = "self_attention_block",
          .cross_attention = "cross_attention_block",
          .projections = {"w_q", "w_k", "w_v"},
          .projection = "w_o",
          .linear1 = "feed_forward_block.linear_1",
          .linear2 = "feed_forward_block.linear_2",
          .encoder_norms = {"residual_connections.0.norm", "residual_connections.1.norm", ""},
          .decoder_norms = {"residual_connections.0.norm", "residual_connections.1.norm",
                            "residual_connections.2.norm"},
          .encoder_norm = "encoder.norm",
          .decoder_norm = "decoder.norm",
          .gain = "alpha",
          .shift = "bias",
          .source_table = "src_embed.embedding.weight",
          .target_table = "tgt_embed.embedding.weight",
          .output = "projection_layer.proj"};
}

ImportPlan plan_tutorial(const ForeignModel& model, const ImportOptions& options) {
  ImportPlan plan;
  set_as_in_courses(plan.config, 1, 0, 2, 3);
  plan.config.final_norm = true;  // torch.nn.Transformer has one after each stack, post-norm or not
  const Dialect dialect = tutorial_dialect();
  read_sizes(plan.config, model, dialect);
  assume_heads(plan, options);
  add_sources(plan, dialect);
  plan.positions = {"positional_encoding.pos_embedding"};
  return plan;
}

ImportPlan plan_annotated(const ForeignModel& model, const ImportOptions& options) {
  ImportPlan plan;
  set_as_in_courses(plan.config, 2, 3, 0, 1);
  plan.config.norm = NormPlace::pre, plan.config.final_norm = true;
  const Dialect dialect = annotated_dialect();
  read_sizes(plan.config, model, dialect);
  assume_heads(plan, options);
  add_sources(plan, dialect, folded_norm(plan));
  plan.positions = {"src_embed.1.pe", "tgt_embed.1.pe"};
  return plan;
}

ImportPlan plan_hkproj(const ForeignModel& model, const ImportOptions& options) {
  ImportPlan plan;
  set_as_in_courses(plan.config, 1, 0, 2, 3);
  plan.config.norm = NormPlace::pre, plan.config.final_norm = true;
  plan.config.attention_bias = false;
  const Dialect dialect = hkproj_dialect();
  read_sizes(plan.config, model, dialect);
  assume_heads(plan, options);
  TensorSource norms = folded_norm(plan);
  norms.form = TensorForm::spread;  // later versions have a number a column, which spreads over itself
  add_sources(plan, dialect, norms);
  plan.positions = {"src_pos.pe", "tgt_pos.pe"};
  return plan;
}

}  // namespace

const ImportKind kTutorial{"pytorch-tutorial", "PyTorch's tutorial on nn.Transformer",
                           [](const ForeignModel& model) {
                             return model.has("transformer.encoder.layers.0.self_attn.in_proj_weight");
                           },
                           plan_tutorial};
const ImportKind kAnnotated{"annotated-transformer", "The Annotated Transformer",
                            [](const ForeignModel& model) { return model.has("src_embed.0.lut.weight"); },
                            plan_annotated};
const ImportKind kHkproj{"hkproj", "hkproj's pytorch-transformer",
                         [](const ForeignModel& model) { return model.has("src_embed.embedding.weight"); },
                         plan_hkproj};

}  // namespace glassformer
