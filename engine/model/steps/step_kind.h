// Every kind of operation in a training step, in the order in which it is first met.
#pragma once

namespace glassformer {

enum class StepKind {
  // Forward: words become vectors.
  tokenize,
  shift_target,
  look_up,
  scale_embedding,
  sinusoids,
  sinusoids_of_form,  // laid out otherwise than in the paper
  learned_positions,
  add_positions,
  layer_norm,
  rms_norm,
  dropout,
  hand_on,

  // Forward: one head.
  query,
  key,
  value,
  memory_key,
  memory_value,
  rotate,
  dot_products,
  scale_scores,
  keep_scores,
  padding_mask,
  causal_mask,
  distance_mask,
  causal_distance_mask,
  softmax,
  relu_weights,
  weighted_sum,

  // Forward: the rest of a layer.
  concat,
  project_heads,
  add,
  expand,
  expand_gate,
  expand_value,
  relu,
  gelu,
  swish,
  gelu_sigmoid,
  gated,
  contract,

  // Forward: what comes out.
  memory,
  decoder_output,
  final_norm,
  final_rms_norm,
  logits,
  shared_logits,
  log_softmax,

  // The loss.
  smooth_target,
  token_loss,
  mean_loss,

  // Backward: the loss and the output.
  d_mean_loss,
  d_token_loss,
  d_log_softmax,
  d_logits,
  d_weight,
  d_bias,

  // Backward: around the layers.
  d_hand_on,
  d_norm,
  d_norm_and_stream,
  d_rms_norm,
  d_rms_norm_and_stream,
  d_add,
  d_product_and_stream,
  d_product,

  // Backward: the feed-forward.
  d_contract,
  d_relu,
  d_gelu,
  d_swish,
  d_gelu_sigmoid,
  d_gate,
  d_gated_value,
  d_gated_input,
  d_gated_input_and_stream,

  // Backward: attention.
  d_project_heads,
  d_concat,
  d_weighted_sum,
  d_value,
  d_softmax,
  d_relu_weights,
  d_mask,
  d_scale_scores,
  d_keep_scores,
  d_query,
  d_key,
  d_rotate,
  d_attention_input,
  d_attention_input_and_stream,
  d_memory,

  // Backward: the embeddings.
  d_add_positions,
  d_position_signal,
  d_learned_positions,
  d_scale_embedding,
  d_look_up,
  d_shared_table,

  // The optimizer, for one chosen weight.
  chosen_gradient,
  gradient_norm,
  clip,
  no_clip,
  noam_rate,
  constant_rate,
  linear_rate,
  cosine_rate,
  first_moment,
  second_moment,
  correct_first,
  correct_second,
  new_weight,
};

inline constexpr int kStepKinds = static_cast<int>(StepKind::new_weight) + 1;

}  // namespace glassformer
