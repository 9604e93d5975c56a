#include "engine/model/parameters.h"

#include "engine/model/transformer.h"

namespace glassformer {

std::vector<ParameterView> parameters(const Transformer<float>& model) {
  std::vector<ParameterView> views;
  model.visit([&](const std::string& name, Parameter<const float> tensor) {
    views.push_back({name, tensor.shape(), tensor.data});
  });
  return views;
}

}  // namespace glassformer
