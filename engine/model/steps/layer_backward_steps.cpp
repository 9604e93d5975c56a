// Backward through a stack of layers: the operations of layer_steps.cpp in reverse, each by its chain rule.
#include "engine/model/steps/step_list.h"

namespace glassformer {
namespace {

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
  list.add(StepKind::d_softmax, at, {v.weights, gradient_of(v.weights)}, gradient_of(v.masked_scores));
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

// Ends with the gradient of what the attention read. In a post-norm model that is the residual stream itself,
// and what came past the block is added.
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

void add_feed_forward_backward(StepList& list, const StepPlace& at, const SublayerValues& around,
                               bool pre_norm) {
  const FeedForwardValues v = list.values.feed_forward(at);
  const Activation activation = list.config().activation;
  list.add(StepKind::d_contract, at, {gradient_of(v.output), v.weight2}, gradient_of(v.hidden));
  list.add_weight_gradient(at, v.output, v.hidden, v.weight2, &v.bias2);
  list.add(activation == Activation::relu   ? StepKind::d_relu
           : activation == Activation::gelu ? StepKind::d_gelu
                                            : StepKind::d_swish,
           at, {gradient_of(v.hidden), v.pre_activation}, gradient_of(v.pre_activation));
  list.add_weight_gradient(at, v.pre_activation, v.input, v.weight1, &v.bias1);
  if (pre_norm) {
    list.add(StepKind::d_product, at, {gradient_of(v.pre_activation), v.weight1}, gradient_of(v.input));
  } else {
    list.add(StepKind::d_product_and_stream, at,
             {gradient_of(around.residual), gradient_of(v.pre_activation), v.weight1}, gradient_of(v.input));
  }
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

}  // namespace glassformer
