// What every value of a pass and every parameter is called. Names are put together and taken apart here
// alone; everyone else asks for a name, or for what a name says, and passes on a ValueName where a block or a
// value is meant. The passes and `visit` spell theirs out, where the numbers are (the probe of
// engine/layers/tap.h joins the words of a pass); a test reads each of them and writes it back.
//
// Values have the model specification's names, parameters those of torch.nn.Transformer. The two differ
// inside a layer: cross-attention computes "cross_attn.query" with "multihead_attn.in_proj_weight".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

// Whose attention: the encoder's own, the decoder's own (masked), the decoder's on the memory
// (section 3.2.3).
enum class AttentionKind { encoder, decoder, cross };

// What a value or a parameter belongs to.
enum class BlockKind {
  embedding,        // "source.input", "source_embedding.weight"
  embedding_norm,   // "source_embedding_norm.weight"
  self_attention,   // "encoder.layers.0.self_attn.weights"
  cross_attention,  // "decoder.layers.0.cross_attn.weights", "decoder.layers.0.multihead_attn.in_proj_weight"
  feed_forward,     // "encoder.layers.0.feed_forward.hidden", "encoder.layers.0.linear1.weight"
  add_norm,         // "encoder.layers.0.residual1", "encoder.layers.0.norm1.weight"
  layer,            // "encoder.layers.0.output"
  stack,            // "memory", "decoder.output"
  final_norm,       // "encoder.norm.weight"
  output,           // "logits", "token_loss", "output_projection.weight"
};

enum class ValueKind {
  whole,  // the block itself: "encoder.layers.0.self_attn", "encoder.layers.0"

  // Values: of an embedding, of an attention, of a feed-forward, of the rest.
  lookup,
  embedding,
  positions,
  sum,
  input,
  query,
  key,
  value,
  rotated_query,  // with rotary positions, in self-attention
  rotated_key,
  dot_products,
  scores,
  mask,  // no trace keeps it: the ids and the kind of attention say it
  masked_scores,
  weights,
  context,
  concat,
  output,  // of an attention, a feed-forward, a layer, a stack
  pre_activation,
  gate,         // of a SwiGLU in its place, before the swish
  gated_value,  // and what the gate multiplies: "….feed_forward.value"
  hidden,
  residual,
  normed,
  mean,
  deviation,
  rms,  // of an RMSNorm in their place
  logits,
  log_probabilities,
  smoothed_target,
  token_loss,

  // Parameters. Gain and shift are a LayerNorm's; the three projections of an attention are one matrix.
  embedding_table,
  position_table,
  gain,
  shift,
  projections_weight,
  projections_bias,
  output_weight,
  output_bias,
  weight1,
  bias1,
  gate_weight,
  weight2,
  bias2,
};

constexpr bool is_parameter(ValueKind value) {
  return value >= ValueKind::embedding_table;
}
constexpr bool is_bias(ValueKind value) {
  return value == ValueKind::shift || value == ValueKind::projections_bias ||
         value == ValueKind::output_bias || value == ValueKind::bias1 || value == ValueKind::bias2;
}

// One number a hidden unit of a feed-forward.
constexpr bool of_unit(ValueKind value) {
  return value == ValueKind::pre_activation || value == ValueKind::gate || value == ValueKind::gated_value ||
         value == ValueKind::hidden;
}

// What a norm found of each row.
constexpr bool of_norm(ValueKind value) {
  return value == ValueKind::mean || value == ValueKind::deviation || value == ValueKind::rms;
}

// A name, taken apart. What a block does not have keeps its default.
struct ValueName {
  BlockKind block = BlockKind::output;
  ValueKind value = ValueKind::whole;
  bool encoder = false;  // the source's side of the model, or the target's
  int layer = 0;         // from 0
  int sublayer = 0;      // of add_norm, from 1: "norm2"

  bool operator==(const ValueName&) const = default;
};

// Throws Error for a value that such a block does not have.
std::string written(const ValueName& name);
std::string written(ValueName name, ValueKind value);  // another value of that block
// Nothing for what no model has: "encoder.layers.0.cross_attn.weights", "loss".
std::optional<ValueName> read_name(std::string_view name);

constexpr bool is_attention(BlockKind block) {
  return block == BlockKind::self_attention || block == BlockKind::cross_attention;
}
constexpr bool in_layer(BlockKind block) {
  return block >= BlockKind::self_attention && block <= BlockKind::layer;
}
constexpr bool in_embedding(BlockKind block) {
  return block == BlockKind::embedding || block == BlockKind::embedding_norm;
}
// Of two names inside layers: whether it is the same layer.
constexpr bool in_same_layer(const ValueName& a, const ValueName& b) {
  return in_layer(a.block) && in_layer(b.block) && a.encoder == b.encoder && a.layer == b.layer;
}
// The attention that a value or a parameter lies in; nothing outside of one.
std::optional<AttentionKind> attention_of(const ValueName& name);
ValueName value_in(AttentionKind kind, int layer, ValueKind value);

// A value of an attention, taken apart; nothing for parameters and for what lies outside.
struct AttentionName {
  AttentionKind kind = AttentionKind::cross;
  int layer = 0;
  ValueKind value = ValueKind::weights;
};
std::optional<AttentionName> read_attention_name(std::string_view name);

std::string attention_value(AttentionKind kind, int layer, ValueKind value);  // "….cross_attn.weights"
std::string embedding_value(bool source, ValueKind value);                    // "source.positions"
std::string output_value(ValueKind value);                                    // "log_probabilities"

// The name less that of its layer: "feed_forward.hidden", "norm2"; empty outside of the layers.
std::string name_in_layer(const ValueName& name);
// What the parameters call their block: "decoder.layers.0.multihead_attn", "source_embedding". Of embeddings,
// attentions, feed-forwards and the output; anything else has no block of that name: an Error.
std::string parameters_block(const ValueName& name);

// Whether the name is that of such a value, in whatever block.
bool is_name_of(ValueKind value, std::string_view name);
bool is_name_of_parameter(std::string_view name);
// Each head keeps its columns apart.
constexpr bool has_heads(ValueKind value) {
  return value == ValueKind::query || value == ValueKind::key || value == ValueKind::value ||
         value == ValueKind::rotated_query || value == ValueKind::rotated_key || value == ValueKind::context;
}
// Its rows are keys: what is matched with a query, or handed over for it.
constexpr bool of_keys(ValueKind value) {
  return value == ValueKind::key || value == ValueKind::value || value == ValueKind::rotated_key;
}

// The last part of a value's name: "masked_scores".
std::string_view word_of(ValueKind value);

// What people read of a head and of a sub-block: the same on chips, in menus, tables and pages. Layers and
// heads count from 1.

// "cross 2, head 1", "encoder 1, head 3"; the decoder's own attention is "decoder 2, head 1".
std::string head_name(AttentionKind kind, int layer, int head);
// "cross-attention 2", "encoder feed-forward 1"
std::string sub_block_name(const ValueName& block);

}  // namespace glassformer
