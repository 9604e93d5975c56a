// The gated recurrent unit (Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder"): a
// state that each word changes, and two gates that say how much.
//
//   r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)       what of the old state the candidate sees
//   z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)       how much of the old state stays
//   n = tanh(W_in x + b_in + r * (W_hn h + b_hn))    the candidate
//   h' = (1 - z) * n + z * h
//
// These are the conventions of torch.nn.GRU (reset gate after the product, two biases), and so is the order
// r, z, n of the rows of each weight. What depends on x alone is one product over all steps; only W_h h waits
// for the step before.
#pragma once

#include "engine/math/product.h"
#include "engine/recurrent/steps.h"

namespace glassformer {

template <class Scalar>
struct Gru {
  Matrix<Scalar> input_weight;   // W_i (3d, in)
  Matrix<Scalar> state_weight;   // W_h (3d, d)
  RowVector<Scalar> input_bias;  // b_i (3d)
  RowVector<Scalar> state_bias;  // b_h (3d)

  void resize(int in, int d);                                          // all zero
  int width() const { return static_cast<int>(state_weight.cols()); }  // d
};

// The two weights, copied as their products want them: once for all chunks and steps of a pass.
template <class Scalar>
struct GruPanels {
  Panels<Scalar> input, state;
};
template <class Scalar>
GruPanels<Scalar> forward_panels(const Gru<Scalar>& layer);  // W_i^T (in, 3d), W_h^T (d, 3d)
template <class Scalar>
GruPanels<Scalar> backward_panels(const Gru<Scalar>& layer);  // W_i (3d, in), W_h (3d, d)

// What forward leaves for backward. Rows (N) are those of the steps, of all chunks one below the other; a
// matrix may have more. Rows (B) belong to the sentences of the batch, in each chunk to its places.
template <class Scalar>
struct GruSaved {
  Matrix<Scalar> gates;     // (N, 3d) r, z, n
  Matrix<Scalar> shown;     // (N, d) W_hn h + b_hn, before r
  Matrix<Scalar> previous;  // (N, d) h
  Matrix<Scalar> output;    // (N, d) h'
  Matrix<Scalar> first;     // (B, d) the states that the first words find
  Matrix<Scalar> last;      // (B, d) the states after the last words

  Matrix<Scalar> d_input;  // (N, 3d) gradient of W_i x + b_i
  Matrix<Scalar> d_state;  // (N, 3d) gradient of W_h h + b_h
  Matrix<Scalar> d_first;  // (B, d)
  Matrix<Scalar> d_last;   // (B, d)

  Matrix<Scalar> step;  // (B, 3d) scratch: a product of one step

  void make_room_for(int rows, int sentences, int d);
  void make_room_for_backward();
};

// With forward_panels. x (N, in): the rows of these steps are read. Wants saved.first and fills the rest of
// the forward values. `first_place`: of the rows (B), where those of this chunk begin.
template <class Scalar>
void gru_forward(const Gru<Scalar>& layer, const GruPanels<Scalar>& panels, const Steps& steps,
                 const ConstMatrixRef<Scalar>& x, int first_place, GruSaved<Scalar>& saved);

// Backward through time, with backward_panels. d (N, d) is the gradient of the output; saved.d_last has that
// of the last states, beyond what the output hands back. Fills saved.d_first and, for the weights, d_input
// and d_state; d_x (N, in) is not computed when it is null, and may be d.
template <class Scalar>
void gru_backward(const Gru<Scalar>& layer, const GruPanels<Scalar>& panels, const Steps& steps,
                  const Matrix<Scalar>& d, int first_place, GruSaved<Scalar>& saved, Matrix<Scalar>* d_x);

}  // namespace glassformer
