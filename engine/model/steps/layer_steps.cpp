// Through a stack of layers and back: what stands around attention and feed-forward.
#include "engine/model/steps/step_list.h"

namespace glassformer {
namespace {

// LayerNorm stands before the sub-layer or after the sum.
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
    list.add_norm(at, norm, StepKind::final_norm);
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

}  // namespace glassformer
