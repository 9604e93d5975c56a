// From ids to the residual stream, and back to the table's rows.
#include "engine/model/dropout_masks.h"
#include "engine/model/steps/step_list.h"

namespace glassformer {

void add_embedding(StepList& list, bool encoder) {
  const Config& config = list.config();
  const EmbeddingValues v = list.values.embedding(encoder);
  const StepPlace at{StepPhase::forward, StepBlock::embedding, encoder};

  // Words.
  if (encoder) {
    list.add(StepKind::tokenize, at, {}, v.ids);
  } else {
    list.add(StepKind::shift_target, at, {}, v.ids, {list.values.output().wanted});
  }
  list.add(StepKind::look_up, at, {v.ids, v.table}, v.lookup);
  if (config.scale_embeddings) list.add(StepKind::scale_embedding, at, {v.lookup}, v.embedding);

  // Places.
  const bool has_positions = config.adds_positions();
  if (config.positions == PositionKind::sinusoidal)
    list.add(config.wave_form() == WaveForm() ? StepKind::sinusoids : StepKind::sinusoids_of_form, at, {},
             v.positions);
  if (config.learns_positions()) list.add(StepKind::learned_positions, at, {v.position_table}, v.positions);
  if (has_positions) {
    list.add(StepKind::add_positions, at, {v.embedding, v.positions},
             config.embedding_norm ? v.norm.x : v.input);
  }

  // What the first layer reads.
  if (config.embedding_norm) {
    list.add_norm(at, v.norm);
  } else if (!has_positions) {
    list.add(StepKind::hand_on, at, {v.embedding}, v.input);
  }
  list.add_dropout(at, v.input, list.config().dropout);
}

void add_embedding_backward(StepList& list, bool encoder) {
  const Config& config = list.config();
  const EmbeddingValues v = list.values.embedding(encoder);
  const StepPlace at{StepPhase::backward, StepBlock::embedding, encoder};
  const bool has_positions = config.adds_positions();

  // The sum: words and places get the same.
  if (config.embedding_norm) list.add_norm_backward(at, v.norm);
  const Operand d_sum = gradient_of(config.embedding_norm ? v.norm.x : v.input);
  if (has_positions) {
    list.add(StepKind::d_position_signal, at, {d_sum}, gradient_of(v.positions));
    if (config.learns_positions()) {
      list.add(StepKind::d_learned_positions, at, {gradient_of(v.positions)}, gradient_of(v.position_table));
    }
    list.add(StepKind::d_add_positions, at, {d_sum}, gradient_of(v.embedding));
  } else if (!config.embedding_norm) {
    list.add(StepKind::d_hand_on, at, {d_sum}, gradient_of(v.embedding));
  }

  // The table. What is shared waits until all its uses are known.
  if (config.scale_embeddings)
    list.add(StepKind::d_scale_embedding, at, {gradient_of(v.embedding)}, gradient_of(v.lookup));
  const bool shared = encoder ? config.sharing == Sharing::all : config.sharing != Sharing::none;
  if (!shared) list.add(StepKind::d_look_up, at, {v.ids, gradient_of(v.lookup)}, gradient_of(v.table));
}

void add_shared_table_backward(StepList& list) {
  const Sharing sharing = list.config().sharing;
  if (sharing == Sharing::none) return;
  const OutputValues output = list.values.output();
  const EmbeddingValues target = list.values.embedding(false), source = list.values.embedding(true);
  const StepPlace at{StepPhase::backward, StepBlock::embedding, false};
  std::vector<Operand> inputs = {gradient_of(output.logits), output.decoder_output, target.ids,
                                 gradient_of(target.lookup)};
  std::string formula = "{=} = {0}ᵀ {1} + {3} added up by target word";
  if (sharing == Sharing::all) {
    inputs.push_back(source.ids);
    inputs.push_back(gradient_of(source.lookup));
    formula += " + {5} added up by source word";
  }
  list.add(StepKind::d_shared_table, at, std::move(inputs), gradient_of(target.table)).formula = formula;
}

// Attention, head by head, and under each part its way back: the same operations in reverse, each by its
// chain rule.
namespace {

// The keys that a ReLU's weights are divided by: what is cut by hand is among them.
Operand by_rule(Operand mask) {
  mask.by_rule = true;
  return mask;
}

void add_head(StepList& list, const StepPlace& at) {
  const Config& config = list.config();
  const HeadValues v = list.values.head(at);
  const AttentionValues all = list.values.attention(at);
  const bool cross = at.block == StepBlock::cross_attention, causal = !at.encoder && !cross;
  const auto project = [&](StepKind kind, const Operand& x, const Operand& weight, const Operand& bias,
                           const Operand& result) {
    list.add(kind, at, product_inputs(x, weight, bias, config.attention_bias), result);
  };
  project(StepKind::query, all.input, v.query_weight, v.query_bias, v.query);
  project(cross ? StepKind::memory_key : StepKind::key, all.memory, v.key_weight, v.key_bias, v.key);
  project(cross ? StepKind::memory_value : StepKind::value, all.memory, v.value_weight, v.value_bias,
          v.value);
  if (list.values.rotates(at)) {
    list.add(StepKind::rotate, at, {v.query}, v.rotated_query);
    list.add(StepKind::rotate, at, {v.key}, v.rotated_key);
  }
  list.add(StepKind::dot_products, at, {v.rotated_query, v.rotated_key}, v.dot_products);
  list.add(config.attention_scale ? StepKind::scale_scores : StepKind::keep_scores, at, {v.dot_products},
           v.scores);
  const bool biased = position_traits(config.positions).biased && !cross;
  const StepKind mask = causal ? (biased ? StepKind::causal_distance_mask : StepKind::causal_mask)
                               : (biased ? StepKind::distance_mask : StepKind::padding_mask);
  list.add(mask, at, {v.scores, v.mask}, v.masked_scores);
  if (config.attention_activation == AttentionActivation::softmax)
    list.add(StepKind::softmax, at, {v.masked_scores}, v.weights);
  else
    list.add(StepKind::relu_weights, at, {v.masked_scores, by_rule(v.mask)}, v.weights);
  list.add_dropout(at, v.weights, attention_rate(config));
  list.add(StepKind::weighted_sum, at, {v.weights, v.value}, v.context);
}

void add_head_backward(StepList& list, const StepPlace& at) {
  const Config& config = list.config();
  const HeadValues v = list.values.head(at);
  const AttentionValues all = list.values.attention(at);

  // This head's columns of what came back through W_O.
  Operand columns = gradient_of(all.concat);
  columns.columns = Extent::head;
  columns.first_column = at.head * config.head_width();
  list.add(StepKind::d_concat, at, {columns}, gradient_of(v.context));

  // Down the pipeline.
  list.add(StepKind::d_weighted_sum, at, {gradient_of(v.context), v.value}, gradient_of(v.weights));
  list.add(StepKind::d_value, at, {v.weights, gradient_of(v.context)}, gradient_of(v.value));
  if (config.attention_activation == AttentionActivation::softmax)
    list.add(StepKind::d_softmax, at, {v.weights, gradient_of(v.weights)}, gradient_of(v.masked_scores));
  else
    list.add(StepKind::d_relu_weights, at, {gradient_of(v.weights), v.weights, by_rule(v.mask)},
             gradient_of(v.masked_scores));
  list.add(StepKind::d_mask, at, {gradient_of(v.masked_scores), v.mask}, gradient_of(v.scores));
  list.add(config.attention_scale ? StepKind::d_scale_scores : StepKind::d_keep_scores, at,
           {gradient_of(v.scores)}, gradient_of(v.dot_products));
  list.add(StepKind::d_query, at, {gradient_of(v.dot_products), v.rotated_key}, gradient_of(v.rotated_query));
  list.add(StepKind::d_key, at, {gradient_of(v.dot_products), v.rotated_query}, gradient_of(v.rotated_key));
  if (list.values.rotates(at)) {
    list.add(StepKind::d_rotate, at, {gradient_of(v.rotated_query)}, gradient_of(v.query));
    list.add(StepKind::d_rotate, at, {gradient_of(v.rotated_key)}, gradient_of(v.key));
  }

  // The head's own weights.
  const auto weights = [&](const Operand& result, const Operand& x, const Operand& weight,
                           const Operand& bias) {
    list.add_weight_gradient(at, result, x, weight, config.attention_bias ? &bias : nullptr);
  };
  weights(v.query, all.input, v.query_weight, v.query_bias);
  weights(v.key, all.memory, v.key_weight, v.key_bias);
  weights(v.value, all.memory, v.value_weight, v.value_bias);
}

}  // namespace

void add_attention(StepList& list, StepPlace at) {
  const Config& config = list.config();
  const AttentionValues v = list.values.attention(at);
  std::vector<Operand> contexts;
  std::string formula = "{=} = [ ";
  StepPlace head = at;
  for (head.head = 0; head.head < config.heads; ++head.head) {
    add_head(list, head);
    contexts.push_back(list.values.head(head).context);
    // The first few show the pattern.
    if (head.head < 4) formula += std::string("{") + static_cast<char>('0' + head.head) + "} ";
  }
  if (config.heads > 4) formula += "… ";
  list.add(StepKind::concat, at, std::move(contexts), v.concat).formula = formula + "]";
  list.add(StepKind::project_heads, at,
           product_inputs(v.concat, v.output_weight, v.output_bias, config.attention_bias), v.output);
}

void add_attention_backward(StepList& list, const StepPlace& at, const SublayerValues& around,
                            bool pre_norm) {
  const Config& config = list.config();
  const AttentionValues v = list.values.attention(at);
  list.add(StepKind::d_project_heads, at, {gradient_of(v.output), v.output_weight}, gradient_of(v.concat));
  list.add_weight_gradient(at, v.output, v.concat, v.output_weight,
                           config.attention_bias ? &v.output_bias : nullptr);
  StepPlace head = at;
  for (head.head = config.heads - 1; head.head >= 0; --head.head) add_head_backward(list, head);

  const bool cross = at.block == StepBlock::cross_attention;
  std::vector<Operand> inputs = {gradient_of(v.all.query), v.all.query_weight};
  if (!cross) {
    for (const Operand* operand : {&v.all.key, &v.all.key_weight, &v.all.value, &v.all.value_weight}) {
      inputs.push_back(operand->store == OperandStore::trace ? gradient_of(*operand) : *operand);
    }
  }
  if (!pre_norm) inputs.insert(inputs.begin(), gradient_of(around.residual));
  const StepKind kind =
      cross ? (pre_norm ? StepKind::d_product : StepKind::d_product_and_stream)
            : (pre_norm ? StepKind::d_attention_input : StepKind::d_attention_input_and_stream);
  list.add(kind, at, std::move(inputs), gradient_of(v.input));
}

// Every decoder layer's cross-attention sends something back to the memory.
void add_memory_backward(StepList& list) {
  StepPlace at{StepPhase::backward, StepBlock::cross_attention, false, 0, 2};
  std::vector<Operand> inputs;
  const int layers = list.config().decoder_layers;
  for (at.layer = layers - 1; at.layer >= 0; --at.layer) {
    const HeadValues all = list.values.attention(at).all;
    for (const Operand& operand :
         {gradient_of(all.key), all.key_weight, gradient_of(all.value), all.value_weight}) {
      inputs.push_back(operand);
    }
  }
  const StepPlace end{StepPhase::backward, StepBlock::stack_end, true};
  Step& step =
      list.add(StepKind::d_memory, end, std::move(inputs), gradient_of(list.values.stack_output(true)));
  step.formula = sum_of_products(2) + (layers > 1 ? " + the same of every decoder layer" : "");
}

// Through a stack of layers and back: what is around attention and feed-forward.
namespace {

// LayerNorm is before the sub-layer or after the sum.
void add_sublayer(StepList& list, const StepPlace& block) {
  const bool pre_norm = list.config().norm == NormPlace::pre;
  const SublayerValues v = list.values.sublayer(block);
  StepPlace around = block;
  around.block = StepBlock::add_norm;
  if (pre_norm) list.add_norm(around, v.norm);
  if (block.block == StepBlock::feed_forward) {
    add_feed_forward(list, block);
  } else {
    add_attention(list, block);
  }
  list.add_dropout(around, v.output, list.config().dropout);
  list.add(StepKind::add, around, {v.stream, v.output}, v.residual);
  if (!pre_norm) list.add_norm(around, v.norm);
}

void add_sublayer_backward(StepList& list, const StepPlace& block) {
  const bool pre_norm = list.config().norm == NormPlace::pre;
  const SublayerValues v = list.values.sublayer(block);
  StepPlace around = block;
  around.block = StepBlock::add_norm;
  if (!pre_norm) list.add_norm_backward(around, v.norm);
  list.add(StepKind::d_add, around, {gradient_of(v.residual)}, gradient_of(v.output));
  if (block.block == StepBlock::feed_forward) {
    add_feed_forward_backward(list, block, v, pre_norm);
  } else {
    add_attention_backward(list, block, v, pre_norm);
  }
  const Operand past = gradient_of(v.residual);
  if (pre_norm) list.add_norm_backward(around, v.norm, &past);
}

void add_stack_end(StepList& list, bool encoder) {
  const StepPlace at{StepPhase::forward, StepBlock::stack_end, encoder};
  const NormValues norm = list.values.final_norm(encoder);
  if (list.config().final_norm) {
    list.add_norm(at, norm, true);
  } else {
    list.add(encoder ? StepKind::memory : StepKind::decoder_output, at, {norm.x}, norm.y);
  }
}

void add_stack_end_backward(StepList& list, bool encoder) {
  const StepPlace at{StepPhase::backward, StepBlock::stack_end, encoder};
  if (encoder) add_memory_backward(list);
  const NormValues norm = list.values.final_norm(encoder);
  if (list.config().final_norm) {
    list.add_norm_backward(at, norm);
  } else {
    list.add(StepKind::d_hand_on, at, {gradient_of(norm.y)}, gradient_of(norm.x));
  }
}

}  // namespace

void add_layers(StepList& list, bool encoder) {
  const int layers = encoder ? list.config().encoder_layers : list.config().decoder_layers;
  StepPlace at{StepPhase::forward, StepBlock::self_attention, encoder};
  for (at.layer = 0; at.layer < layers; ++at.layer) {
    if (!list.wants(encoder, at.layer)) continue;
    for (at.sublayer = 1; at.sublayer <= sublayers(encoder); ++at.sublayer) {
      at.block = block_kind(at);
      add_sublayer(list, at);
    }
    StepPlace end{StepPhase::forward, StepBlock::stack_end, encoder, at.layer};
    at.sublayer = sublayers(encoder);
    list.add(StepKind::hand_on, end, {list.values.sublayer(at).result},
             list.values.layer_output(encoder, at.layer));
  }
  add_stack_end(list, encoder);
}

void add_layers_backward(StepList& list, bool encoder) {
  add_stack_end_backward(list, encoder);
  const int layers = encoder ? list.config().encoder_layers : list.config().decoder_layers;
  StepPlace at{StepPhase::backward, StepBlock::self_attention, encoder};
  for (at.layer = layers - 1; at.layer >= 0; --at.layer) {
    at.sublayer = sublayers(encoder);
    const StepPlace end{StepPhase::backward, StepBlock::stack_end, encoder, at.layer};
    list.add(StepKind::d_hand_on, end, {gradient_of(list.values.layer_output(encoder, at.layer))},
             gradient_of(list.values.sublayer(at).result));
    for (; at.sublayer >= 1; --at.sublayer) {
      at.block = block_kind(at);
      add_sublayer_backward(list, at);
    }
  }
}

// From the decoder's rows to the loss, and the first gradients.
void add_output_and_loss(StepList& list) {
  const Config& config = list.config();
  const OutputValues v = list.values.output();
  const StepPlace output{StepPhase::forward, StepBlock::output, false};
  const bool shared = config.sharing != Sharing::none;
  list.add(shared ? StepKind::shared_logits : StepKind::logits, output,
           product_inputs(v.decoder_output, v.weight, v.bias, config.output_bias), v.logits);
  list.add(StepKind::log_softmax, output, {v.logits}, v.log_probabilities);

  const StepPlace loss{StepPhase::loss, StepBlock::loss, false};
  list.add(StepKind::smooth_target, loss, {v.wanted}, v.target);
  list.add(StepKind::token_loss, loss, {v.target, v.log_probabilities}, v.token_loss);
  list.add(StepKind::mean_loss, loss, {v.token_loss, v.wanted}, v.loss);
}

void add_output_backward(StepList& list) {
  const Config& config = list.config();
  const OutputValues v = list.values.output();
  const StepPlace loss{StepPhase::backward, StepBlock::loss, false};
  list.add(StepKind::d_mean_loss, loss, {v.wanted}, gradient_of(v.token_loss));
  list.add(StepKind::d_token_loss, loss, {gradient_of(v.token_loss), v.target},
           gradient_of(v.log_probabilities));

  const StepPlace output{StepPhase::backward, StepBlock::output, false};
  list.add(StepKind::d_log_softmax, output, {gradient_of(v.log_probabilities), v.log_probabilities},
           gradient_of(v.logits));
  if (config.sharing == Sharing::none) {
    list.add_weight_gradient(output, v.logits, v.decoder_output, v.weight,
                             config.output_bias ? &v.bias : nullptr);
  } else if (config.output_bias) {
    list.add(StepKind::d_bias, output, {gradient_of(v.logits)}, gradient_of(v.bias));
  }
  list.add(StepKind::d_logits, output, {gradient_of(v.logits), v.weight}, gradient_of(v.decoder_output));
}

}  // namespace glassformer
