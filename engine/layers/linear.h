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

// On the gradient, another instance of the same struct, for `count` rows of the weight from `first` on:
//   d_W[first..] += d_y^T x      d_b[first..] += column sums of d_y
// x (n, in), d_y (n, count). The rows of a weight gradient can be shared out among threads.
template <class Scalar>
void add_linear_gradient(const ConstMatrixRef<Scalar>& x, const ConstMatrixRef<Scalar>& d_y, int first,
                         Linear<Scalar>& gradient);

}  // namespace glassformer
