// A dozen configurations that between them take every way the steps can go, each with one pass recorded.
#pragma once

#include <set>

#include "engine/model/steps/step_numbers.h"
#include "engine/model/steps/step_sources.h"
#include "engine/model/steps/steps.h"
#include "random_models.h"
#include "step_arithmetic.h"

namespace glassformer {

inline std::vector<NamedConfig> step_configs() {
  std::vector<NamedConfig> configs = varied_configs();
  const auto vary = [&](const char* name, auto change) {
    Config config = small_config();
    change(config);
    configs.push_back({name, config});
  };
  vary("one layer, one head", [](Config& c) { c.encoder_layers = c.decoder_layers = c.heads = 1; });
  vary("three decoder layers, final norm", [](Config& c) {
    c.decoder_layers = 3;
    c.final_norm = true;
  });
  vary("pre-norm with everything shared", [](Config& c) {
    c.norm = NormPlace::pre;
    c.sharing = Sharing::all;
    c.source_vocab = c.target_vocab;
  });
  vary("no biases, gelu", [](Config& c) {
    c.attention_bias = c.output_bias = false;
    c.activation = Activation::gelu;
  });
  vary("embedding norm without positions", [](Config& c) {
    c.embedding_norm = true;
    c.positions = PositionKind::none;
    c.dropout = 0;
  });
  vary("learned positions under an embedding norm, unscaled", [](Config& c) {
    c.embedding_norm = true;
    c.positions = PositionKind::learned;
    c.scale_embeddings = false;
  });
  vary("shared output, no source eos, swish", [](Config& c) {
    c.sharing = Sharing::output;
    c.source_eos = false;
    c.activation = Activation::swish;
  });
  vary("pre-norm, final norm, six heads, no scale", [](Config& c) {
    c.norm = NormPlace::pre;
    c.final_norm = true;
    c.heads = 6;
    c.attention_scale = false;
  });
  vary("as Marian has it: starts with padding, sines before cosines, GELU by a sigmoid", [](Config& c) {
    c.start_id = c.pad_id;
    c.position_order = PositionOrder::halves;
    c.position_divisor = PositionDivisor::d_less_two;
    c.activation = Activation::gelu_sigmoid;
  });
  vary("a source between bos and eos", [](Config& c) { c.source_bos = true; });
  vary("ReLU in place of the softmax", [](Config& c) { c.attention_activation = AttentionActivation::relu; });
  return configs;
}

// A word occurs twice on each side, and a pad token among the words.
inline TraceInput step_sentences() {
  return {{{5, 6, 5, 0, 7}}, {{4, 8, 0, 8}}};
}

inline Trace step_trace(const Transformer<float>& model) {
  TraceOptions options;
  options.gradients = options.parameter_gradients = true;
  return record_trace(model, step_sentences(), options);
}

}  // namespace glassformer
