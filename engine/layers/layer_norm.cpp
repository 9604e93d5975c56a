#include "engine/layers/layer_norm.h"

#include <cmath>

#include "engine/math/work_profile.h"

namespace glassformer {

template <class Scalar>
void LayerNorm<Scalar>::resize(int d, NormKind kind) {
  weight.setZero(d);
  bias.setZero(norm_traits(kind).centred ? d : 0);
}

namespace {

// What is taken off a row of a norm that moves it to mean 0.
template <class Scalar, class Row>
Scalar row_mean(const LayerNorm<Scalar>& norm, const Row& row) {
  return norm.centred() ? row.sum() / static_cast<Scalar>(row.size()) : Scalar{0};
}

template <class Scalar, class Row, class Result>
void stretch(const LayerNorm<Scalar>& norm, const Row& normalized, Result&& y) {
  if (norm.centred())
    y.array() = normalized.array() * norm.weight.array() + norm.bias.array();
  else
    y.array() = normalized.array() * norm.weight.array();
}

}  // namespace

template <class Scalar>
void LayerNormSaved<Scalar>::resize(int rows, int d) {
  make_room<Scalar>(normalized, rows, d);
  make_room<Scalar>(mean, rows, 1);
  make_room<Scalar>(deviation, rows, 1);
  make_room<Scalar>(y, rows, d);
}

template <class Scalar>
void layer_norm(const LayerNorm<Scalar>& norm, double eps, const ConstMatrixRef<Scalar>& x,
                MatrixRef<Scalar> y) {
  const auto d = static_cast<Scalar>(x.cols());
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    auto row = y.row(i);
    row.array() = x.row(i).array() - row_mean(norm, x.row(i));
    row *= 1 / std::sqrt(row.squaredNorm() / d + static_cast<Scalar>(eps));
    stretch(norm, row, row);
  }
}

template <class Scalar>
void layer_norm_forward(const LayerNorm<Scalar>& norm, double eps, const ConstMatrixRef<Scalar>& x, int first,
                        LayerNormSaved<Scalar>& saved) {
  const Doing doing(Work::norm);
  const auto d = static_cast<Scalar>(x.cols());
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const Eigen::Index row = first + i;
    const Scalar mean = row_mean(norm, x.row(i));
    auto normalized = saved.normalized.row(row);
    normalized.array() = x.row(i).array() - mean;
    const Scalar deviation = std::sqrt(normalized.squaredNorm() / d + static_cast<Scalar>(eps));
    normalized *= 1 / deviation;
    saved.mean(row, 0) = mean;
    saved.deviation(row, 0) = deviation;
    stretch(norm, normalized, saved.y.row(row));
  }
}

// With n = normalized, s = deviation and g = d_y * weight:
//   d_x = (g - mean(g) - n * mean(g * n)) / s     without mean(g) in an RMSNorm
template <class Scalar>
void layer_norm_backward(const LayerNorm<Scalar>& norm, MatrixRef<Scalar> d, int first, int chunk,
                         LayerNormSaved<Scalar>& saved) {
  const Doing doing(Work::norm);
  const auto width = static_cast<Scalar>(d.cols());
  auto d_weight = saved.d_weight.row(chunk);
  auto d_bias = saved.d_bias.row(chunk);
  d_weight.setZero();
  d_bias.setZero();
  for (Eigen::Index i = 0; i < d.rows(); ++i) {
    auto row = d.row(i);
    const auto normalized = saved.normalized.row(first + i);
    d_weight.array() += row.array() * normalized.array();
    d_bias += row;
    row.array() *= norm.weight.array();
    const Scalar mean = row_mean(norm, row);
    const Scalar along = row.dot(normalized) / width;
    row.array() = (row.array() - mean - normalized.array() * along) * (1 / saved.deviation(first + i, 0));
  }
}

template <class Scalar>
void add_layer_norm_gradient(const LayerNormSaved<Scalar>& saved, int chunks, LayerNorm<Scalar>& gradient) {
  for (int chunk = 0; chunk < chunks; ++chunk) {
    gradient.weight += saved.d_weight.row(chunk);
    if (gradient.centred()) gradient.bias += saved.d_bias.row(chunk);
  }
}

#define GLASSFORMER_LAYER_NORM(Scalar)                                                                   \
  template struct LayerNorm<Scalar>;                                                                     \
  template struct LayerNormSaved<Scalar>;                                                                \
  template void layer_norm(const LayerNorm<Scalar>&, double, const ConstMatrixRef<Scalar>&,              \
                           MatrixRef<Scalar>);                                                           \
  template void layer_norm_forward(const LayerNorm<Scalar>&, double, const ConstMatrixRef<Scalar>&, int, \
                                   LayerNormSaved<Scalar>&);                                             \
  template void layer_norm_backward(const LayerNorm<Scalar>&, MatrixRef<Scalar>, int, int,               \
                                    LayerNormSaved<Scalar>&);                                            \
  template void add_layer_norm_gradient(const LayerNormSaved<Scalar>&, int, LayerNorm<Scalar>&);
GLASSFORMER_LAYER_NORM(float)
GLASSFORMER_LAYER_NORM(double)

}  // namespace glassformer
