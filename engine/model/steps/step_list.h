// Writes the list of steps; what the parts of it share. Internal to engine/model/steps.
#pragma once

#include <string>
#include <vector>

#include "engine/model/steps/step_values.h"
#include "engine/model/steps/steps.h"

namespace glassformer {

class StepList {
 public:
  StepList(const Config& config, const StepOptions& wanted) : values(config), options(wanted) {}

  // Adds a step and returns it, for the few that need more than their kind's row in the table.
  Step& add(StepKind kind, const StepPlace& place, std::vector<Operand> inputs, Operand output,
            std::vector<Operand> also = {});
  // A place where the model drops a share p in training.
  void add_dropout(const StepPlace& place, const Operand& value, double p);

  void add_norm(const StepPlace& place, const NormValues& norm, bool last = false);
  // d_x from d_y, and the gradients of gain and bias. With `past`, the gradient that came around the block.
  void add_norm_backward(const StepPlace& place, const NormValues& norm, const Operand* past = nullptr);
  // Of a product x W^T + b, from the gradient of its result.
  void add_weight_gradient(const StepPlace& place, const Operand& result, const Operand& x,
                           const Operand& weight, const Operand* bias);

  const Config& config() const { return values.config(); }

  StepValues values;
  StepOptions options;
  LayerFilter layers = {};
  bool wants(bool encoder, int layer) const { return !layers || layers(encoder, layer); }
  std::vector<Step> steps;
};

// x W^T + b has three inputs, or two in a model without the bias.
std::vector<Operand> product_inputs(const Operand& x, const Operand& weight, const Operand& bias,
                                    bool has_bias);

// The parts of the list, each a file: the way forward, and the way back beside it.
void add_embedding(StepList& list, bool encoder);
void add_embedding_backward(StepList& list, bool encoder);
void add_shared_table_backward(StepList& list);

void add_layers(StepList& list, bool encoder);
void add_layers_backward(StepList& list, bool encoder);

// One sub-layer. The way back ends with the gradient of what the sub-layer read. In a post-norm model that is
// the residual stream itself, and what came past the block is added.
void add_attention(StepList& list, StepPlace at);
void add_attention_backward(StepList& list, const StepPlace& at, const SublayerValues& around, bool pre_norm);
void add_memory_backward(StepList& list);
void add_feed_forward(StepList& list, const StepPlace& at);
void add_feed_forward_backward(StepList& list, const StepPlace& at, const SublayerValues& around,
                               bool pre_norm);

void add_output_and_loss(StepList& list);
void add_output_backward(StepList& list);

void add_update(StepList& list);

// "{=} = {0} {1} + {2} {3}": a sum of `products` products, starting at this input.
std::string sum_of_products(int products, int first = 0);

}  // namespace glassformer
