#include "app/inspector/layer_values.h"

#include "engine/layers/layer_norm.h"
#include "engine/math/softmax.h"

namespace glassformer {

NormalizedRow normalized_row(const std::vector<double>& x, double eps) {
  const auto width = static_cast<int>(x.size());
  if (width == 0) return {};
  LayerNorm<double> norm;
  norm.resize(width);
  norm.weight.setOnes();
  const Matrix<double> row = Eigen::Map<const Matrix<double>>(x.data(), 1, width);  // (1, d)
  LayerNormSaved<double> saved;
  saved.resize(1, width);
  layer_norm_forward<double>(norm, eps, row, 0, saved);
  return {.mean = saved.mean(0, 0),
          .deviation = saved.deviation(0, 0),
          .values = {saved.normalized.data(), saved.normalized.data() + width}};
}

double activated(Activation activation, double x) {
  double y = 0;
  activate(activation, &x, &y, 1);
  return y;
}

double log_sum_exp_of(const std::vector<double>& x) {
  return log_sum_exp(x.data(), static_cast<int>(x.size()));
}

}  // namespace glassformer
