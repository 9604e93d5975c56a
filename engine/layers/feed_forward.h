// The position-wise feed-forward network (paper, section 3.3): each token on its own, wider by a factor and
// back.
//
//   hidden = dropout(activation(x W1^T + b1))      output = hidden W2^T + b2
//
// Gated (SwiGLU; Shazeer 2020) it has no biases:
//
//   hidden = dropout(swish(x Wg^T) * (x W1^T))     output = hidden W2^T
#pragma once

#include "engine/layers/activation.h"
#include "engine/layers/dropout.h"
#include "engine/layers/feed_forward_kind.h"
#include "engine/layers/linear.h"
#include "engine/layers/tap.h"

namespace glassformer {

template <class Scalar>
struct FeedForward {
  Linear<Scalar> linear1;      // (f, d)
  Linear<Scalar> linear_gate;  // (f, d); empty: not gated
  Linear<Scalar> linear2;      // (d, f)
  Activation activation = Activation::relu;

  bool gated() const { return linear_gate.weight.size() > 0; }
};

template <class Scalar>
struct FeedForwardSaved {
  Matrix<Scalar> pre_activation;  // (N, f) what is activated, a gate's too; empty with relu, whose slope
                                  // shows in the result
  Matrix<Scalar> value;           // (N, f) gated: what the gate multiplies
  Matrix<Scalar> hidden;          // (N, f), after dropout
  Matrix<Scalar> d_hidden;        // (N, f), in the end d loss / d what linear1 gave
  Matrix<Scalar> d_gate;          // (N, f) gated: d loss / d what linear_gate gave

  void resize(int rows, const FeedForward<Scalar>& layer);
  void resize_backward(const FeedForward<Scalar>& layer);
};

// x (n, d) -> output (n, d), for the rows [first, first + n) of `saved`.
template <class Scalar, class T>
void feed_forward(const FeedForward<Scalar>& layer, const ConstMatrixRef<Scalar>& x, const Dropout& dropout,
                  FeedForwardSaved<Scalar>& saved, MatrixRef<Scalar> output, const Probe<T>& probe);

// d_output (n, d) -> d_x (n, d)
template <class Scalar, class T>
void feed_forward_backward(const FeedForward<Scalar>& layer, MatrixRef<Scalar> d_output,
                           const Dropout& dropout, FeedForwardSaved<Scalar>& saved, MatrixRef<Scalar> d_x,
                           const Probe<T>& probe);

}  // namespace glassformer
