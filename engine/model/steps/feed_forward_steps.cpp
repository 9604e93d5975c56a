// The feed-forward of a layer, plain or gated, forward and backward.
#include <array>

#include "engine/model/steps/step_list.h"
#include "engine/model/steps/step_text.h"

namespace glassformer {

namespace {

struct ActivationSteps {
  StepKind forward, backward;
};
constexpr ActivationSteps steps_of(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return {StepKind::relu, StepKind::d_relu};
    case Activation::gelu:
      return {StepKind::gelu, StepKind::d_gelu};
    case Activation::swish:
      return {StepKind::swish, StepKind::d_swish};
    case Activation::gelu_sigmoid:
      return {StepKind::gelu_sigmoid, StepKind::d_gelu_sigmoid};
  }
  return {StepKind::relu, StepKind::d_relu};
}

}  // namespace

void add_feed_forward(StepList& list, const StepPlace& at) {
  const FeedForwardValues v = list.values.feed_forward(at);
  const bool gated = feed_forward_traits(list.config().feed_forward).gated;
  if (gated) {
    list.add(StepKind::expand_gate, at, {v.input, v.gate_weight}, v.gate);
    list.add(StepKind::expand_value, at, {v.input, v.weight1}, v.value);
    list.add(StepKind::gated, at, {v.gate, v.value}, v.hidden);
  } else {
    list.add(StepKind::expand, at, {v.input, v.weight1, v.bias1}, v.pre_activation);
    list.add(steps_of(list.config().activation).forward, at, {v.pre_activation}, v.hidden);
  }
  list.add_dropout(at, v.hidden, list.config().dropout);
  list.add(StepKind::contract, at, product_inputs(v.hidden, v.weight2, v.bias2, !gated), v.output);
}

namespace {

// From the gradient of the hidden numbers to that of what a gated feed-forward reads.
void add_gates_backward(StepList& list, const StepPlace& at, const FeedForwardValues& v,
                        const SublayerValues& around, bool pre_norm) {
  list.add(StepKind::d_gated_value, at, {v.gate, gradient_of(v.hidden)}, gradient_of(v.value));
  list.add_weight_gradient(at, v.value, v.input, v.weight1, nullptr);
  list.add(StepKind::d_gate, at, {gradient_of(v.hidden), v.gate, v.value}, gradient_of(v.gate));
  list.add_weight_gradient(at, v.gate, v.input, v.gate_weight, nullptr);
  std::vector<Operand> inputs = {gradient_of(v.value), v.weight1, gradient_of(v.gate), v.gate_weight};
  if (!pre_norm) inputs.insert(inputs.begin(), gradient_of(around.residual));
  list.add(pre_norm ? StepKind::d_gated_input : StepKind::d_gated_input_and_stream, at, std::move(inputs),
           gradient_of(v.input));
}

}  // namespace

void add_feed_forward_backward(StepList& list, const StepPlace& at, const SublayerValues& around,
                               bool pre_norm) {
  const FeedForwardValues v = list.values.feed_forward(at);
  const bool gated = feed_forward_traits(list.config().feed_forward).gated;
  list.add(StepKind::d_contract, at, {gradient_of(v.output), v.weight2}, gradient_of(v.hidden));
  list.add_weight_gradient(at, v.output, v.hidden, v.weight2, gated ? nullptr : &v.bias2);
  if (gated) return add_gates_backward(list, at, v, around, pre_norm);
  list.add(steps_of(list.config().activation).backward, at, {gradient_of(v.hidden), v.pre_activation},
           gradient_of(v.pre_activation));
  list.add_weight_gradient(at, v.pre_activation, v.input, v.weight1, &v.bias1);
  if (pre_norm) {
    list.add(StepKind::d_product, at, {gradient_of(v.pre_activation), v.weight1}, gradient_of(v.input));
  } else {
    list.add(StepKind::d_product_and_stream, at,
             {gradient_of(around.residual), gradient_of(v.pre_activation), v.weight1}, gradient_of(v.input));
  }
}

// In words.
namespace {

using enum StepKind;

constexpr std::array kFeedForwardTexts = {
    // Forward.
    StepText{expand, pattern::times_transposed, "First product", "{=} = {0} {1}ᵀ + {2}",
             "Each token by itself is spread out to f numbers, each a detector for some pattern in its row. "
             "Nothing passes between tokens here.",
             "3.3"},
    StepText{
        expand_gate, pattern::times_transposed, "Gate", "{=} = {0} {1}ᵀ",
        "Each token by itself is spread out to f numbers, a gate for every unit. The swish of a gate says "
        "how much of the unit passes.",
        ""},
    StepText{
        expand_value, pattern::times_transposed, "Value", "{=} = {0} {1}ᵀ",
        "A second product of the same row: what each unit passes on, as far as its gate is open. There is "
        "no bias in either.",
        ""},
    StepText{relu, pattern::relu, "ReLU", "{=} = max(0, {0})",
             "What is negative becomes 0: a detector fires or it does not. Without such a bend the two "
             "products would be one.",
             "3.3"},
    StepText{gelu, pattern::gelu, "GELU", "{=} = {0} × Φ({0})",
             "Each number is multiplied by the share of a normal distribution that lies below it: a smooth "
             "ReLU. Later models prefer it to the paper's ReLU.",
             ""},
    StepText{swish, pattern::swish, "Swish", "{=} = {0} × sigmoid({0})",
             "Each number is multiplied by its own sigmoid: a smooth ReLU that dips a little below 0. Later "
             "models prefer it to the paper's ReLU.",
             ""},
    StepText{
        gelu_sigmoid, pattern::gelu_sigmoid, "GELU by a sigmoid", "{=} = {0} × sigmoid(1.702 {0})",
        "Each number is multiplied by the sigmoid of 1.702 times itself. That is close to GELU, and what "
        "Marian computes by that name.",
        ""},
    StepText{gated, pattern::swish, "Swish of the gate, times value", "{=} = {0} × sigmoid({0}) × {1}",
             "Each unit's value is multiplied by the swish of its gate: SwiGLU (Shazeer 2020). A gate far "
             "below 0 shuts; far above 0 the value is multiplied by the gate itself.",
             ""},
    StepText{
        contract, pattern::times_transposed, "Second product", "{=} = {0} {1}ᵀ[ + {2}]",
        "Every unit writes its own column of the weights to the residual stream, times its number. The rows "
        "are d wide again.",
        "3.3"},

    // Backward.
    StepText{
        d_contract, pattern::times, "Second product, backward", "{=} = {0} {1}",
        "Each detector hears from all d numbers that it wrote to. The weights are the same, read the other "
        "way.",
        ""},
    StepText{d_relu, pattern::d_relu, "ReLU, backward", "{=} = {0} where {1} > 0, else 0",
             "Where a detector fired the gradient passes; where it did not, it stops. A detector that never "
             "fires never learns.",
             ""},
    StepText{
        d_gelu, pattern::d_gelu, "GELU, backward", "{=} = {0} × (Φ({1}) + {1} × φ({1}))",
        "The gradient is multiplied by the slope of the curve at the number that went in. Φ and φ are the "
        "normal distribution and its density.",
        ""},
    StepText{d_swish, pattern::d_swish, "Swish, backward", "{=} = {0} × s × (1 + {1} × (1 − s))",
             "The gradient is multiplied by the slope of the curve at the number that went in. Here s is the "
             "sigmoid of {1}.",
             ""},
    StepText{d_gelu_sigmoid, pattern::d_gelu_sigmoid, "GELU by a sigmoid, backward",
             "{=} = {0} × s × (1 + 1.702 {1} × (1 − s))",
             "The gradient is multiplied by the slope of the curve at the number that went in. Here s is the "
             "sigmoid of 1.702 {1}.",
             ""},
    StepText{
        d_gate, pattern::d_swish, "Gate, backward", "{=} = {0} × s × (1 + {1} × (1 − s)) × {2}",
        "A gate moved the unit by the slope of its swish, times the value that it multiplied. Here s is the "
        "sigmoid of {1}.",
        ""},
    StepText{
        d_gated_value, pattern::swish, "Value, backward", "{=} = {0} × sigmoid({0}) × {1}",
        "What arrives is multiplied by what the value was multiplied by: the swish of its gate. Where the "
        "gate was shut nothing comes back.",
        ""},
    StepText{d_gated_input, pattern::products, "Both products, backward", "{=} = {0} {1} + {2} {3}",
             "The row went two ways, into value and gate. What comes back on the two is added.", ""},
    StepText{
        d_gated_input_and_stream, pattern::products_and_stream, "Both products, backward, and the paths meet",
        "{=} = {0} + {1} {2} + {3} {4}",
        "The row went two ways, into value and gate, and past the block besides. What comes back on all of "
        "them is added.",
        ""},
};

}  // namespace

std::span<const StepText> feed_forward_texts() {
  return kFeedForwardTexts;
}

}  // namespace glassformer
