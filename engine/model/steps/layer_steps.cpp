// Forward through a stack of layers: attention head by head, Add & Norm, feed-forward.
#include "engine/model/steps/step_list.h"

namespace glassformer {
namespace {

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
  list.add(causal ? StepKind::causal_mask : StepKind::padding_mask, at, {v.scores, v.mask}, v.masked_scores);
  list.add(StepKind::softmax, at, {v.masked_scores}, v.weights);
  list.add_dropout(at, v.weights);
  list.add(StepKind::weighted_sum, at, {v.weights, v.value}, v.context);
}

void add_attention(StepList& list, StepPlace at) {
  const Config& config = list.config();
  const AttentionValues v = list.values.attention(at);
  std::vector<Operand> contexts;
  std::string formula = "{=} = [ ";
  StepPlace head = at;
  for (head.head = 0; head.head < config.heads; ++head.head) {
    add_head(list, head);
    contexts.push_back(list.values.head(head).context);
    // The first few tell the pattern.
    if (head.head < 4) formula += std::string("{") + static_cast<char>('0' + head.head) + "} ";
  }
  if (config.heads > 4) formula += "… ";
  list.add(StepKind::concat, at, std::move(contexts), v.concat).formula = formula + "]";
  list.add(StepKind::project_heads, at,
           product_inputs(v.concat, v.output_weight, v.output_bias, config.attention_bias), v.output);
}

void add_feed_forward(StepList& list, const StepPlace& at) {
  const FeedForwardValues v = list.values.feed_forward(at);
  const Activation activation = list.config().activation;
  list.add(StepKind::expand, at, {v.input, v.weight1, v.bias1}, v.pre_activation);
  list.add(activation == Activation::relu   ? StepKind::relu
           : activation == Activation::gelu ? StepKind::gelu
                                            : StepKind::swish,
           at, {v.pre_activation}, v.hidden);
  list.add_dropout(at, v.hidden);
  list.add(StepKind::contract, at, {v.hidden, v.weight2, v.bias2}, v.output);
}

void add_norm(StepList& list, const StepPlace& at, const NormValues& norm) {
  list.add(StepKind::layer_norm, at, {norm.x, norm.gain, norm.bias}, norm.y, {norm.mean, norm.deviation});
}

// LayerNorm stands before the sub-layer or after the sum.
void add_sublayer(StepList& list, const StepPlace& block) {
  const bool pre_norm = list.config().norm == NormPlace::pre;
  const SublayerValues v = list.values.sublayer(block);
  StepPlace around = block;
  around.block = StepBlock::add_norm;
  if (pre_norm) add_norm(list, around, v.norm);
  if (block.block == StepBlock::feed_forward) {
    add_feed_forward(list, block);
  } else {
    add_attention(list, block);
  }
  list.add_dropout(around, v.output);
  list.add(StepKind::add, around, {v.stream, v.output}, v.residual);
  if (!pre_norm) add_norm(list, around, v.norm);
}

void add_stack_end(StepList& list, bool encoder) {
  const StepPlace at{StepPhase::forward, StepBlock::stack_end, encoder};
  const NormValues norm = list.values.final_norm(encoder);
  if (list.config().final_norm) {
    list.add(StepKind::final_norm, at, {norm.x, norm.gain, norm.bias}, norm.y, {norm.mean, norm.deviation});
  } else {
    list.add(encoder ? StepKind::memory : StepKind::decoder_output, at, {norm.x}, norm.y);
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

}  // namespace glassformer
