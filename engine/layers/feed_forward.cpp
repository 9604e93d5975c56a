#include "engine/layers/feed_forward.h"

namespace glassformer {

template <class Scalar>
void FeedForwardSaved<Scalar>::resize(int rows, int f, Activation activation) {
  make_room<Scalar>(pre_activation, activation == Activation::relu ? 0 : rows, f);
  make_room<Scalar>(hidden, rows, f);
}

template <class Scalar, class T>
void feed_forward(const FeedForward<Scalar>& layer, const ConstMatrixRef<Scalar>& x, const Dropout& dropout,
                  FeedForwardSaved<Scalar>& saved, MatrixRef<Scalar> output, const Probe<T>& probe) {
  const bool relu = layer.activation == Activation::relu;
  auto hidden = saved.hidden.middleRows(probe.first_row, x.rows());  // (n, f)
  auto pre_activation =
      (relu ? saved.hidden : saved.pre_activation).middleRows(probe.first_row, x.rows());  // (n, f)
  const auto size = static_cast<std::size_t>(hidden.size());
  const auto first = static_cast<std::size_t>(probe.first_row * hidden.cols());

  layer.linear1.forward(x, pre_activation);
  probe.rows("pre_activation", pre_activation);
  activate(layer.activation, pre_activation.data(), hidden.data(), size);
  probe.rows("hidden", hidden);
  if (dropout.active()) drop(hidden.data(), size, first, dropout);
  layer.linear2.forward(hidden, output);
  probe.rows("output", output);
}

template <class Scalar, class T>
void feed_forward_backward(const FeedForward<Scalar>& layer, MatrixRef<Scalar> d_output,
                           const Dropout& dropout, FeedForwardSaved<Scalar>& saved, MatrixRef<Scalar> d_x,
                           const Probe<T>& probe) {
  const bool relu = layer.activation == Activation::relu;
  auto d_hidden = saved.d_hidden.middleRows(probe.first_row, d_x.rows());  // (n, f)
  // Where the activation's slope is read off.
  const auto seen =
      (relu ? saved.hidden : saved.pre_activation).middleRows(probe.first_row, d_x.rows());  // (n, f)
  const auto size = static_cast<std::size_t>(d_hidden.size());
  const auto first = static_cast<std::size_t>(probe.first_row * d_hidden.cols());

  probe.rows("output", d_output);
  layer.linear2.backward(d_output, d_hidden);
  if (relu) {
    // What was shut or dropped is 0 in the result: one look at it answers both.
    if (dropout.active()) d_hidden *= static_cast<Scalar>(dropout.growth());
    probe.rows("hidden", d_hidden);
    activate_backward(Activation::relu, seen.data(), d_hidden.data(), size);
  } else {
    if (dropout.active()) drop(d_hidden.data(), size, first, dropout);
    probe.rows("hidden", d_hidden);
    activate_backward(layer.activation, seen.data(), d_hidden.data(), size);
  }
  probe.rows("pre_activation", d_hidden);
  layer.linear1.backward(d_hidden, d_x);
}

#define GLASSFORMER_FEED_FORWARD(Scalar, T)                                                             \
  template void feed_forward(const FeedForward<Scalar>&, const ConstMatrixRef<Scalar>&, const Dropout&, \
                             FeedForwardSaved<Scalar>&, MatrixRef<Scalar>, const Probe<T>&);            \
  template void feed_forward_backward(const FeedForward<Scalar>&, MatrixRef<Scalar>, const Dropout&,    \
                                      FeedForwardSaved<Scalar>&, MatrixRef<Scalar>, const Probe<T>&);
template struct FeedForwardSaved<float>;
template struct FeedForwardSaved<double>;
GLASSFORMER_FEED_FORWARD(float, NoTap)
GLASSFORMER_FEED_FORWARD(float, Tap<float>)
GLASSFORMER_FEED_FORWARD(double, NoTap)
GLASSFORMER_FEED_FORWARD(double, Tap<double>)

}  // namespace glassformer
