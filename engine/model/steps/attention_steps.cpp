// Attention, head by head, and under each part its way back: the same operations in reverse, each by its
// chain rule.
#include "engine/model/dropout_masks.h"
#include "engine/model/steps/step_list.h"

namespace glassformer {
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
  list.add(causal ? StepKind::causal_mask : StepKind::padding_mask, at, {v.scores, v.mask}, v.masked_scores);
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
    // The first few tell the pattern.
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

}  // namespace glassformer
