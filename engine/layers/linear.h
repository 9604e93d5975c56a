// y = x W^T + b: every token's row times the same matrix.
#pragma once

#include "engine/math/matrix.h"

namespace glassformer {

template <class Scalar>
struct Linear {
  Matrix<Scalar> weight;   // (out, in)
  RowVector<Scalar> bias;  // (out); empty: none

  // All zero.
  void resize(int in, int out, bool with_bias);

  // x (n, in) -> y (n, m): the m outputs from `first` on; all of them when y is as wide as the layer.
  void forward(const ConstMatrixRef<Scalar>& x, MatrixRef<Scalar> y, int first = 0) const;

  // d_x = d_y W (n, in), for the outputs from `first` on. With `add` it is added to d_x.
  void backward(const ConstMatrixRef<Scalar>& d_y, MatrixRef<Scalar> d_x, bool add = false,
                int first = 0) const;
};

// The same for a weight that is elsewhere (a shared table), without bias.
template <class Scalar>
void project(const ConstMatrixRef<Scalar>& x, const ConstMatrixRef<Scalar>& weight, MatrixRef<Scalar> y);
template <class Scalar>
void project_backward(const ConstMatrixRef<Scalar>& d_y, const ConstMatrixRef<Scalar>& weight,
                      MatrixRef<Scalar> d_x);

// d_weight (count, in) = d_y^T x and d_bias (count) = column sums of d_y, for `count` outputs of a layer:
// x (n, in), d_y (n, count); d_bias null: the layer has none. With `add` onto what is there. The rows of a
// weight gradient can be shared out among threads.
template <class Scalar>
void linear_gradient(const ConstMatrixRef<Scalar>& x, const ConstMatrixRef<Scalar>& d_y,
                     MatrixRef<Scalar> d_weight, Scalar* d_bias, bool add);

}  // namespace glassformer
