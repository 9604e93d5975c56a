// How many numbers a model of a given configuration learns, block by block, without building it.
#pragma once

#include <string>
#include <vector>

#include "engine/model/config.h"

namespace glassformer {

// One tensor as the checkpoint names it. A bias or a LayerNorm's weight has one row.
struct ParameterShape {
  std::string name;  // "encoder.layers.0.self_attn.in_proj_weight"
  int rows = 0, columns = 0;
  long count() const { return long(rows) * long(columns); }
};

// A block of the paper's figure with the tensors that belong to it. A shared matrix is listed once, at the
// first block that uses it.
struct ParameterBlock {
  std::string name;    // "encoder.layers.0.self_attn"
  std::string part;    // "Encoder layer 1", "Source embedding"
  std::string inside;  // of a layer: "self-attention"; else empty
  std::vector<ParameterShape> tensors;
  std::string title() const;  // "Encoder layer 1, self-attention"
  long count() const;
};

// In the order in which a sentence meets them. Only blocks that hold something.
std::vector<ParameterBlock> parameter_blocks(const Config& config);
long parameter_count(const Config& config);

}  // namespace glassformer
