// The parameters of a model by name, for those who look at numbers and do not compute with them.
#pragma once

#include <string>
#include <vector>

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

}  // namespace glassformer
