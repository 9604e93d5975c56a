#include "engine/layers/feed_forward.h"

namespace glassformer {

namespace {

// Of the rows that `probe` is about: hidden = swish(x Wg^T) * (x W1^T).
template <class Scalar, class T>
void open_gates(const FeedForward<Scalar>& layer, const ConstMatrixRef<Scalar>& x,
                FeedForwardSaved<Scalar>& saved, const Probe<T>& probe) {
  auto gate = saved.pre_activation.middleRows(probe.first_row, x.rows());  // (n, f)
  auto value = saved.value.middleRows(probe.first_row, x.rows());          // (n, f)
  auto hidden = saved.hidden.middleRows(probe.first_row, x.rows());        // (n, f)

  layer.linear_gate.forward(x, gate);
  probe.rows("gate", gate);
  layer.linear1.forward(x, value);
  probe.rows("value", value);
  activate(layer.activation, gate.data(), hidden.data(), static_cast<std::size_t>(hidden.size()));
  hidden.array() *= value.array();
}

// From d loss / d hidden in d_hidden to those of value and gate.
template <class Scalar, class T>
void open_gates_backward(const FeedForward<Scalar>& layer, Eigen::Index rows, FeedForwardSaved<Scalar>& saved,
                         const Probe<T>& probe) {
  auto gate = saved.pre_activation.middleRows(probe.first_row, rows);  // (n, f)
  const auto value = saved.value.middleRows(probe.first_row, rows);    // (n, f)
  auto d_hidden = saved.d_hidden.middleRows(probe.first_row, rows);    // (n, f)
  auto d_gate = saved.d_gate.middleRows(probe.first_row, rows);        // (n, f)
  const auto size = static_cast<std::size_t>(gate.size());

  d_gate = d_hidden.cwiseProduct(value);
  activate_backward(layer.activation, gate.data(), d_gate.data(), size);
  activate(layer.activation, gate.data(), gate.data(), size);
  d_hidden.array() *= gate.array();
  probe.rows("value", d_hidden);
  probe.rows("gate", d_gate);
}

}  // namespace

template <class Scalar>
void FeedForwardSaved<Scalar>::resize(int rows, const FeedForward<Scalar>& layer) {
  const auto f = static_cast<int>(layer.linear1.weight.rows());
  make_room<Scalar>(pre_activation, layer.activation == Activation::relu ? 0 : rows, f);
  if (layer.gated()) make_room<Scalar>(value, rows, f);
  make_room<Scalar>(hidden, rows, f);
}

template <class Scalar>
void FeedForwardSaved<Scalar>::resize_backward(const FeedForward<Scalar>& layer) {
  const auto rows = static_cast<int>(hidden.rows()), f = static_cast<int>(layer.linear1.weight.rows());
  make_room<Scalar>(d_hidden, rows, f);
  if (layer.gated()) make_room<Scalar>(d_gate, rows, f);
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

  if (layer.gated()) {
    open_gates(layer, x, saved, probe);
  } else {
    layer.linear1.forward(x, pre_activation);
    probe.rows("pre_activation", pre_activation);
    activate(layer.activation, pre_activation.data(), hidden.data(), size);
  }
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
    if (layer.gated()) {
      open_gates_backward(layer, d_x.rows(), saved, probe);
      layer.linear1.backward(d_hidden, d_x);
      layer.linear_gate.backward(saved.d_gate.middleRows(probe.first_row, d_x.rows()), d_x, true);
      return;
    }
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
