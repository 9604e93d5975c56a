// From the decoder's rows to the loss, and the first gradients.
#include "engine/model/steps/step_list.h"

namespace glassformer {

void add_output_and_loss(StepList& list) {
  const Config& config = list.config();
  const OutputValues v = list.values.output();
  const StepPlace output{StepPhase::forward, StepBlock::output, false};
  const bool shared = config.sharing != Sharing::none;
  list.add(shared ? StepKind::shared_logits : StepKind::logits, output,
           product_inputs(v.decoder_output, v.weight, v.bias, config.output_bias), v.logits);
  list.add(StepKind::log_softmax, output, {v.logits}, v.log_probabilities);

  const StepPlace loss{StepPhase::loss, StepBlock::loss, false};
  list.add(StepKind::smooth_target, loss, {v.wanted}, v.target);
  list.add(StepKind::token_loss, loss, {v.target, v.log_probabilities}, v.token_loss);
  list.add(StepKind::mean_loss, loss, {v.token_loss, v.wanted}, v.loss);
}

void add_output_backward(StepList& list) {
  const Config& config = list.config();
  const OutputValues v = list.values.output();
  const StepPlace loss{StepPhase::backward, StepBlock::loss, false};
  list.add(StepKind::d_mean_loss, loss, {v.wanted}, gradient_of(v.token_loss));
  list.add(StepKind::d_token_loss, loss, {gradient_of(v.token_loss), v.target},
           gradient_of(v.log_probabilities));

  const StepPlace output{StepPhase::backward, StepBlock::output, false};
  list.add(StepKind::d_log_softmax, output, {gradient_of(v.log_probabilities), v.log_probabilities},
           gradient_of(v.logits));
  if (config.sharing == Sharing::none) {
    list.add_weight_gradient(output, v.logits, v.decoder_output, v.weight,
                             config.output_bias ? &v.bias : nullptr);
  } else if (config.output_bias) {
    list.add(StepKind::d_bias, output, {gradient_of(v.logits)}, gradient_of(v.bias));
  }
  list.add(StepKind::d_logits, output, {gradient_of(v.logits), v.weight}, gradient_of(v.decoder_output));
}

}  // namespace glassformer
