#include "engine/layers/activation.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace glassformer {
namespace {

// A few numbers side by side, which compilers turn into vector instructions.
template <class Scalar>
using Piece = Eigen::Array<Scalar, 16, 1>;

// y = f(x, y), piece by piece; the last one is filled up.
template <class Scalar, class Function>
void for_each_piece(const Scalar* x, Scalar* y, std::size_t count, Function&& f) {
  constexpr std::size_t kSize = Piece<Scalar>::SizeAtCompileTime;
  std::size_t i = 0;
  for (; i + kSize <= count; i += kSize) {
    Eigen::Map<Piece<Scalar>> out(y + i);
    out = f(Piece<Scalar>(Eigen::Map<const Piece<Scalar>>(x + i)), Piece<Scalar>(out));
  }
  if (i == count) return;
  Piece<Scalar> in = Piece<Scalar>::Zero(), out = Piece<Scalar>::Zero();
  std::copy(x + i, x + count, in.data());
  std::copy(y + i, y + count, out.data());
  out = f(in, out);
  std::copy_n(out.data(), count - i, y + i);
}

// The density of a standard normal at x.
template <class Scalar>
Piece<Scalar> normal_density(const Piece<Scalar>& x) {
  return (x.square() * Scalar{-0.5}).exp() *
         static_cast<Scalar>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

// The part of a standard normal below x.
Piece<double> normal_below(const Piece<double>& x) {
  return x.unaryExpr([](double value) { return 0.5 * std::erfc(-value * (std::numbers::sqrt2 / 2)); });
}

// The same to seven digits (Abramowitz and Stegun, 7.1.26).
Piece<float> normal_below(const Piece<float>& x) {
  const Piece<float> t = 1 / (1 + 0.23164189f * x.abs());
  const Piece<float> series =
      t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  const Piece<float> tail = 0.5f * series * (x.square() * -0.5f).exp();  // beyond |x|
  Piece<float> below;
  for (int i = 0; i < below.size(); ++i) below[i] = x[i] < 0 ? tail[i] : 1 - tail[i];
  return below;
}

template <class Scalar>
Piece<Scalar> sigmoid(const Piece<Scalar>& x) {
  return 1 / (1 + (-x).exp());
}

}  // namespace

template <class Scalar>
void activate(Activation kind, const Scalar* x, Scalar* y, std::size_t count) {
  using In = const Piece<Scalar>&;
  switch (kind) {
    case Activation::relu:
      for_each_piece(x, y, count, [](In in, In) -> Piece<Scalar> {
        return (in < 0).select(Scalar{0}, in);  // NaN stays
      });
      break;
    case Activation::gelu:
      for_each_piece(x, y, count, [](In in, In) -> Piece<Scalar> { return in * normal_below(in); });
      break;
    case Activation::swish:
      for_each_piece(x, y, count, [](In in, In) -> Piece<Scalar> { return in * sigmoid<Scalar>(in); });
      break;
    case Activation::gelu_sigmoid:
      for_each_piece(x, y, count, [](In in, In) -> Piece<Scalar> {
        return in * sigmoid<Scalar>(in * static_cast<Scalar>(kGeluSigmoid));
      });
      break;
  }
}

template <class Scalar>
void activate_backward(Activation kind, const Scalar* x, Scalar* d, std::size_t count) {
  using In = const Piece<Scalar>&;
  switch (kind) {
    case Activation::relu:
      for_each_piece(x, d, count,
                     [](In in, In out) -> Piece<Scalar> { return (in > 0).select(out, Scalar{0}); });
      break;
    case Activation::gelu:
      for_each_piece(x, d, count, [](In in, In out) -> Piece<Scalar> {
        return out * (normal_below(in) + in * normal_density<Scalar>(in));
      });
      break;
    case Activation::swish:
      for_each_piece(x, d, count, [](In in, In out) -> Piece<Scalar> {
        const Piece<Scalar> s = sigmoid<Scalar>(in);
        return out * s * (1 + in * (1 - s));
      });
      break;
    case Activation::gelu_sigmoid:
      for_each_piece(x, d, count, [](In in, In out) -> Piece<Scalar> {
        const Piece<Scalar> steep = in * static_cast<Scalar>(kGeluSigmoid);
        const Piece<Scalar> s = sigmoid<Scalar>(steep);
        return out * s * (1 + steep * (1 - s));
      });
      break;
  }
}

#define GLASSFORMER_ACTIVATION(Scalar)                                     \
  template void activate(Activation, const Scalar*, Scalar*, std::size_t); \
  template void activate_backward(Activation, const Scalar*, Scalar*, std::size_t);
GLASSFORMER_ACTIVATION(float)
GLASSFORMER_ACTIVATION(double)

}  // namespace glassformer
