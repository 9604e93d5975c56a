#include "engine/model/steps/steps.h"

#include "engine/model/steps/step_list.h"
#include "engine/model/steps/step_text.h"

namespace glassformer {

namespace {

void add_forward(StepList& list) {
  for (const bool encoder : {true, false}) {
    add_embedding(list, encoder);
    add_layers(list, encoder);
  }
  add_output_and_loss(list);
}

}  // namespace

std::vector<Step> forward_steps(const Config& config, const LayerFilter& layers) {
  StepList list(config, {.backward = false, .show_dropout = false});
  list.layers = layers;
  add_forward(list);
  return std::move(list.steps);
}

std::vector<Step> training_steps(const Config& config, const StepOptions& options) {
  StepList list(config, options);
  add_forward(list);
  if (!options.backward) return std::move(list.steps);

  add_output_backward(list);
  for (const bool encoder : {false, true}) {
    add_layers_backward(list, encoder);
    add_embedding_backward(list, encoder);
  }
  add_shared_table_backward(list);
  if (options.weight) add_update(list);
  return std::move(list.steps);
}

Step& StepList::add(StepKind kind, const StepPlace& place, std::vector<Operand> inputs, Operand output,
                    std::vector<Operand> also) {
  const StepText& text = step_text(kind);
  Step& step = steps.emplace_back();
  step.kind = kind;
  step.pattern = text.pattern;
  step.place = place;
  step.inputs = std::move(inputs);
  step.output = std::move(output);
  step.also = std::move(also);
  step.formula = text.formula;
  step.name = text.name;
  step.why = text.why;
  step.section = text.section;
  return step;
}

void StepList::add_dropout(const StepPlace& place, const Operand& value, double p) {
  if (!options.show_dropout || p <= 0) return;
  add(StepKind::dropout, place, {value}, value).off = true;
}

void StepList::add_norm(const StepPlace& place, const NormValues& norm, bool last) {
  if (norm_traits(config().norm_kind).centred)
    add(last ? StepKind::final_norm : StepKind::layer_norm, place, {norm.x, norm.gain, norm.bias}, norm.y,
        {norm.mean, norm.deviation});
  else
    add(last ? StepKind::final_rms_norm : StepKind::rms_norm, place, {norm.x, norm.gain}, norm.y, {norm.rms});
}

void StepList::add_norm_backward(const StepPlace& place, const NormValues& norm, const Operand* past) {
  const bool centred = norm_traits(config().norm_kind).centred;
  std::vector<Operand> inputs = {gradient_of(norm.y), norm.x, norm.gain};
  if (centred)
    inputs.insert(inputs.end(), {norm.mean, norm.deviation});
  else
    inputs.push_back(norm.rms);
  std::vector<Operand> also = {gradient_of(norm.gain)};
  if (centred) also.push_back(gradient_of(norm.bias));
  const StepKind alone = centred ? StepKind::d_norm : StepKind::d_rms_norm,
                 meeting = centred ? StepKind::d_norm_and_stream : StepKind::d_rms_norm_and_stream;
  if (past != nullptr) inputs.push_back(*past);
  add(past != nullptr ? meeting : alone, place, std::move(inputs), gradient_of(norm.x), std::move(also));
}

void StepList::add_weight_gradient(const StepPlace& place, const Operand& result, const Operand& x,
                                   const Operand& weight, const Operand* bias) {
  std::vector<Operand> also;
  if (bias != nullptr) also.push_back(gradient_of(*bias));
  add(StepKind::d_weight, place, {gradient_of(result), x}, gradient_of(weight), std::move(also));
}

std::vector<Operand> product_inputs(const Operand& x, const Operand& weight, const Operand& bias,
                                    bool has_bias) {
  if (!has_bias) return {x, weight};
  return {x, weight, bias};
}

std::string sum_of_products(int products, int first) {
  std::string formula = "{=} = ";
  for (int i = 0; i < products; ++i) {
    if (i > 0) formula += " + ";
    for (const int input : {first + 2 * i, first + 2 * i + 1}) {
      formula += std::string("{") + static_cast<char>('0' + input) + "}";
      if (input % 2 == first % 2) formula += " ";
    }
  }
  return formula;
}

}  // namespace glassformer
