// One operation of a training step, as a learner would write it on the blackboard: what goes in, what comes
// out, by which formula, and why.
//
// A step computes nothing. It names its operands by the model specification's names, so that the numbers come
// from the Trace (or the gradients, or the parameters) of the pass that really ran. Tests recompute every
// step's output from its inputs by the step's own formula.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/steps/step_kind.h"
#include "engine/model/steps/step_pattern.h"

namespace glassformer {

// What an axis counts. The letters are those of the model specification.
enum class Extent {
  one,
  source,        // S, tokens of the source
  target,        // T, tokens of the target
  model,         // d
  head,          // k = d / H
  hidden,        // f
  source_vocab,  // V_s
  target_vocab,  // V_t
  positions,     // max_length
};

// Where the numbers of an operand are kept.
enum class OperandStore {
  ids,                 // token ids: "source", "target_in", "target_out"
  mask,                // what is added to a score: 0, by ALiBi less, -inf where it may not look; by the
                       // name of the attention
  trace,               // Trace::tensors
  gradient,            // Trace::gradients
  parameter,           // weights of the model
  parameter_gradient,  // Trace::parameter_gradients
  loss,                // Trace::loss, one number
  update,              // one number of the optimizer's step: UpdateNumbers
};

// A matrix, or a part of one, as a step sees it.
struct Operand {
  std::string symbol;  // "Q", "W_Q", "dQ"; an underscore starts an index
  OperandStore store = OperandStore::trace;
  std::string name;  // "encoder.layers.0.self_attn.query"
  Extent rows = Extent::one, columns = Extent::one;
  int head = -1;         // of values that have heads; -1: all of them side by side
  int first_row = 0;     // of the stored matrix: one head's rows of a weight
  int first_column = 0;  // of the stored matrix: one head's stretch of a bias
  bool by_rule = false;  // of a mask: without what changes made by hand hide

  bool operator==(const Operand&) const = default;
};

constexpr bool is_gradient(OperandStore store) {
  return store == OperandStore::gradient || store == OperandStore::parameter_gradient;
}
// What such a gradient is the gradient of.
Operand value_of(const Operand& gradient);

enum class StepPhase { forward, loss, backward, update };

enum class StepBlock {
  embedding,
  self_attention,
  cross_attention,
  feed_forward,
  add_norm,
  stack_end,  // what a stack of layers hands on
  output,     // projection and softmax
  loss,
  adam,
};

// Which block of the paper's figure 1 a step belongs to.
struct StepPlace {
  StepPhase phase = StepPhase::forward;
  StepBlock block = StepBlock::embedding;
  bool encoder = true;  // the source's side of the figure, or the target's
  int layer = -1;       // from 0; -1 outside the layers
  int sublayer = 0;     // from 1, inside a layer
  int head = -1;        // from 0; -1: the whole block

  bool operator==(const StepPlace&) const = default;
};

struct Step {
  StepKind kind = StepKind::hand_on;
  StepPattern pattern;  // how its cells are made of the inputs' cells
  StepPlace place;
  std::vector<Operand> inputs;
  Operand output;
  std::vector<Operand> also;  // what the same step gives besides: mean and deviation, the bias's gradient

  std::string formula;       // {=} the output, {0} {1} .. the inputs, {a} {b} the others; see step_formula.h
  std::string_view name;     // "Softmax"
  std::string_view why;      // two sentences
  std::string_view section;  // of the paper: "3.2.1"; empty when the paper does not say
  bool off = false;          // shown, but doing nothing in this pass: dropout
};

// 1 the whole model, 2 a block, 3 one head (product.md's levels; 4 is a cell of any of them).
int level(const Step& step);

// Headings over a step: {"Forward", "Decoder, layer 2", "Cross-attention", "Head 3"}. Counted from 1.
std::vector<std::string> step_path(const Step& step);

}  // namespace glassformer
