#include "engine/model/steps/cell_work.h"

#include <cmath>
#include <utility>

#include "engine/model/steps/cell_worker.h"

namespace glassformer {

CellWork cell_work(const Step& step, int also, int row, int column, const StepNumbers& numbers,
                   double smoothing) {
  using enum StepKind;
  CellWorker worker(step, row, column, numbers);
  switch (step.kind) {
    case query:
    case key:
    case value:
    case memory_key:
    case memory_value:
    case project_heads:
    case expand:
    case contract:
    case logits:
    case shared_logits:
    case dot_products:
    case d_weighted_sum:
      worker.product(true);
      break;
    case weighted_sum:
    case d_logits:
    case d_product:
    case d_contract:
    case d_project_heads:
    case d_query:
      worker.product(false);
      break;
    case softmax:
      worker.softmax();
      break;
    case log_softmax:
      worker.log_softmax();
      break;
    case layer_norm:
    case final_norm:
      worker.layer_norm(also);
      break;
    case add:
    case add_positions:
    case padding_mask:
    case causal_mask:
      worker.sum_of_inputs();
      break;
    case scale_scores:
    case d_scale_scores:
      worker.scaled(std::sqrt(numbers.sizes().config.head_width()), "÷ √k", true);
      break;
    case scale_embedding:
    case d_scale_embedding:
      worker.scaled(std::sqrt(numbers.sizes().config.d_model), "× √d", false);
      break;
    case relu:
    case gelu:
    case swish:
      worker.activation(step.kind);
      break;
    case look_up:
      worker.look_up();
      break;
    case sinusoids:
      worker.sinusoid();
      break;
    case concat:
      worker.concat();
      break;
    case smooth_target:
      worker.smooth_target(smoothing);
      break;
    case token_loss:
      worker.token_loss();
      break;
    case mean_loss:
      worker.mean_loss();
      break;
    case tokenize:
    case shift_target: {
      const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
      worker.work.result = static_cast<double>(numbers.of(made)(row, 0));
      break;
    }
    case d_mean_loss:
      worker.d_mean_loss();
      break;
    case d_token_loss:
      worker.d_token_loss();
      break;
    case d_log_softmax:
      worker.d_log_softmax();
      break;
    case d_weight:
      also < 0 ? worker.transposed_product() : worker.column_sum(0);
      break;
    case d_value:
    case d_key:
      worker.transposed_product();
      break;
    case d_bias:
      worker.column_sum(0);
      break;
    case d_norm:
    case d_norm_and_stream:
      also == 1 ? worker.column_sum(0) : worker.d_norm(also);
      break;
    case d_product_and_stream:
    case d_attention_input_and_stream:
      worker.products_and_stream();
      break;
    case d_attention_input:
    case d_memory:
      worker.products(0);
      break;
    case d_relu:
    case d_gelu:
    case d_swish:
      worker.d_activation(step.kind);
      break;
    case d_softmax:
      worker.d_softmax();
      break;
    case d_mask:
      worker.d_mask();
      break;
    case d_learned_positions:
      worker.d_learned_positions();
      break;
    case d_look_up:
      worker.d_look_up();
      break;
    case d_shared_table:
      worker.d_shared_table();
      break;
    case learned_positions:
    case dropout:
    case hand_on:
    case keep_scores:
    case memory:
    case decoder_output:
    case d_hand_on:
    case d_add:
    case d_concat:
    case d_keep_scores:
    case d_add_positions:
    case d_position_signal:
    case chosen_gradient:
    case gradient_norm:
    case clip:
    case no_clip:
    case noam_rate:
    case constant_rate:
    case linear_rate:
    case cosine_rate:
    case first_moment:
    case second_moment:
    case correct_first:
    case correct_second:
    case new_weight:
      if (!step.inputs.empty()) worker.copy(0, row, column);
      break;
  }
  return std::move(worker.work);
}

}  // namespace glassformer
