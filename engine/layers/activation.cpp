#include "engine/layers/activation.h"

#include <Eigen/Core>
#include <cmath>
#include <numbers>

namespace glassformer {
namespace {

template <class Scalar>
using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

// The part of a standard normal below x.
template <class Scalar>
Scalar normal_below(Scalar x) {
  return Scalar{0.5} * std::erfc(-x * static_cast<Scalar>(std::numbers::sqrt2 / 2));
}

template <class Scalar>
Scalar gelu_slope(Scalar x) {
  const Scalar density =
      std::exp(-x * x / 2) * static_cast<Scalar>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  return normal_below(x) + x * density;
}

}  // namespace

template <class Scalar>
void activate(Activation kind, const Scalar* x, Scalar* y, std::size_t count) {
  const auto n = static_cast<Eigen::Index>(count);
  const Eigen::Map<const Array<Scalar>> in(x, n);
  Eigen::Map<Array<Scalar>> out(y, n);
  switch (kind) {
    case Activation::relu:
      out = (in < 0).select(Scalar{0}, in);  // NaN stays
      break;
    case Activation::gelu:
      for (std::size_t i = 0; i < count; ++i) y[i] = x[i] * normal_below(x[i]);
      break;
    case Activation::swish:
      out = in / (1 + (-in).exp());
      break;
  }
}

template <class Scalar>
void activate_backward(Activation kind, const Scalar* x, Scalar* d, std::size_t count) {
  const auto n = static_cast<Eigen::Index>(count);
  const Eigen::Map<const Array<Scalar>> in(x, n);
  Eigen::Map<Array<Scalar>> out(d, n);
  switch (kind) {
    case Activation::relu:
      out = (in > 0).select(out, Scalar{0});
      break;
    case Activation::gelu:
      for (std::size_t i = 0; i < count; ++i) d[i] *= gelu_slope(x[i]);
      break;
    case Activation::swish:
      // With s = sigmoid(x): s + x s (1 - s)
      for (std::size_t i = 0; i < count; ++i) {
        const Scalar s = 1 / (1 + std::exp(-x[i]));
        d[i] *= s * (1 + x[i] * (1 - s));
      }
      break;
  }
}

#define GLASSFORMER_ACTIVATION(Scalar)                                     \
  template void activate(Activation, const Scalar*, Scalar*, std::size_t); \
  template void activate_backward(Activation, const Scalar*, Scalar*, std::size_t);
GLASSFORMER_ACTIVATION(float)
GLASSFORMER_ACTIVATION(double)

}  // namespace glassformer
