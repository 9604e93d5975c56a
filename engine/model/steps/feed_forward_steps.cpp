// The feed-forward of a layer, forward and backward.
#include "engine/model/steps/step_list.h"

namespace glassformer {

void add_feed_forward(StepList& list, const StepPlace& at) {
  const FeedForwardValues v = list.values.feed_forward(at);
  const Activation activation = list.config().activation;
  list.add(StepKind::expand, at, {v.input, v.weight1, v.bias1}, v.pre_activation);
  list.add(activation == Activation::relu   ? StepKind::relu
           : activation == Activation::gelu ? StepKind::gelu
                                            : StepKind::swish,
           at, {v.pre_activation}, v.hidden);
  list.add_dropout(at, v.hidden, list.config().dropout);
  list.add(StepKind::contract, at, {v.hidden, v.weight2, v.bias2}, v.output);
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

}  // namespace glassformer
