// The parameters of a model by name, for those who look at numbers and do not compute with them.
#pragma once

#include <string>
#include <vector>

#include "engine/model/config.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// Valid while the model lives.
struct ParameterView {
  std::string name;        // as torch.nn.Transformer names it: "encoder.layers.0.self_attn.in_proj_weight"
  std::vector<int> shape;  // (rows, columns) or (n)
  const float* data = nullptr;

  int rows() const { return shape.size() == 2 ? shape[0] : 1; }
  int columns() const { return shape.back(); }
  long size() const { return static_cast<long>(rows()) * columns(); }
};

std::vector<ParameterView> parameters(
    const Transformer<float>& model);  // in the order of the model, a shared one once

// How many numbers a model of a given configuration learns, block by block, without building it.

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
