// Which named value each named value is computed from. The order of sublayers is the paper's figure 1; where
// LayerNorm stands (section 3.1: after the residual sum; "pre-norm" models: before the sublayer) decides the
// rest.
//
// Sublayers count from 1: the encoder's are self-attention and feed-forward, the decoder's self-attention,
// cross-attention and feed-forward.
#pragma once

#include <string>

#include "engine/model/config.h"

namespace glassformer {

struct LayerPlace {
  bool encoder = true;
  int layer = 0;  // from 0
};

std::string layer_prefix(const LayerPlace& place);  // "encoder.layers.0."
int sublayers(const LayerPlace& place);             // 2 or 3

// What the layer receives: the input sum, or what the layer below hands on.
std::string layer_input_name(const LayerPlace& place);
// The residual stream as sublayer n finds it, which is also what its output is added to.
std::string stream_name(const Config& config, const LayerPlace& place, int sublayer);
// What sublayer n reads: the stream itself, or in a pre-norm model its LayerNorm.
std::string sublayer_input_name(const Config& config, const LayerPlace& place, int sublayer);
// What sublayer n adds to the stream: "....self_attn.output", "....feed_forward.output".
std::string sublayer_output_name(const LayerPlace& place, int sublayer);
// What "....normN" normalizes.
std::string norm_input_name(const Config& config, const LayerPlace& place, int sublayer);
// What "....output" is the same as.
std::string layer_output_source(const Config& config, const LayerPlace& place);
// The last layer's output of a stack.
std::string stack_output_name(const Config& config, bool encoder);

}  // namespace glassformer
