// What every value of the model is called and how large it is: the operands that the steps are made of.
//
// Symbols: X what a sub-layer reads (N in a pre-norm model, where it is LayerNorm's result), Y the memory, Q
// K V (Q' K' when rotated), D = Q K^T, S scores, S' masked scores, A weights, C context, O the sub-layer's
// output, R the residual sum.
#pragma once

#include "engine/model/config.h"
#include "engine/model/steps/step.h"

namespace glassformer {

// d loss / d operand: the same name in the gradients, a d before the symbol.
Operand gradient_of(const Operand& operand);

struct NormValues {
  Operand x, y, mean, deviation, rms, gain, bias;  // mean, deviation and bias, or rms
};

struct EmbeddingValues {
  Operand ids, table;
  Operand lookup;     // rows of the table
  Operand embedding;  // times sqrt(d)
  Operand position_table, positions;
  NormValues norm;  // norm.x is the sum with the positions
  Operand input;    // what the first layer reads
};

// One head of one attention; a weight's rows are those of this head.
struct HeadValues {
  Operand query, key, value;
  Operand rotated_query, rotated_key;  // what is matched; query and key themselves where nothing rotates
  Operand dot_products, scores, mask, masked_scores, weights, context;
  Operand query_weight, query_bias, key_weight, key_bias, value_weight, value_bias;
};

struct AttentionValues {
  Operand input, memory;  // X and Y; the same in self-attention
  Operand concat, output, output_weight, output_bias;
  HeadValues all;  // all heads side by side: (L, d) values and (d, d) weights
};

struct FeedForwardValues {
  Operand input, weight1, bias1, pre_activation, hidden, weight2, bias2, output;
  Operand gate_weight, gate, value;  // gated: in place of bias1 and pre_activation
};

// The path around sub-layer n of a layer.
struct SublayerValues {
  Operand stream;    // what is on the residual stream before
  Operand input;     // what the sub-layer reads
  Operand output;    // what it adds
  Operand residual;  // the sum
  NormValues norm;
  Operand result;  // what is on the stream after
};

struct OutputValues {
  Operand decoder_output, weight, bias, logits, log_probabilities;
  Operand wanted, target, token_loss, loss;
};

// The names of one model.
class StepValues {
 public:
  explicit StepValues(const Config& config) : config_(config) {}
  const Config& config() const { return config_; }

  EmbeddingValues embedding(bool encoder) const;
  SublayerValues sublayer(const StepPlace& place) const;
  AttentionValues attention(const StepPlace& place) const;
  HeadValues head(const StepPlace& place) const;
  bool rotates(const StepPlace& place) const;  // queries and keys of this attention
  FeedForwardValues feed_forward(const StepPlace& place) const;
  Operand layer_output(bool encoder, int layer) const;
  Operand stack_output(bool encoder) const;  // "memory", "decoder.output"
  NormValues final_norm(bool encoder) const;
  OutputValues output() const;

 private:
  const Config& config_;
};

int sublayers(bool encoder);                   // 2 or 3
StepBlock block_kind(const StepPlace& place);  // of its sub-layer
// The trace's name of the block: "decoder.layers.0.cross_attn".
std::string block_of(const StepPlace& place);

}  // namespace glassformer
