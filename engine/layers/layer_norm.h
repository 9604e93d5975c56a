// LayerNorm: every token's row is shifted to mean 0 and scaled to deviation 1, then stretched and moved by
// learned amounts (Ba et al. 2016; paper, section 5.4 and figure 1).
//
//   deviation = sqrt(variance + eps)     normalized = (x - mean) / deviation     y = normalized * weight +
//   bias
//
// RMSNorm (Zhang and Sennrich 2019) is the same without mean and bias: x / sqrt(mean(x^2) + eps) * weight.
#pragma once

#include "engine/layers/norm_kind.h"
#include "engine/layers/tap.h"
#include "engine/math/matrix.h"

namespace glassformer {

template <class Scalar>
struct LayerNorm {
  RowVector<Scalar> weight;  // (d)
  RowVector<Scalar> bias;    // (d); empty in an RMSNorm

  void resize(int d, NormKind kind);  // all zero
  bool centred() const { return bias.size() > 0; }
};

// What the backward pass needs, and mean and deviation to look at. All rows of a batch, or more.
template <class Scalar>
struct LayerNormSaved {
  Matrix<Scalar> normalized;  // (N, d)
  Matrix<Scalar> mean;        // (N, 1); 0 in an RMSNorm
  Matrix<Scalar> deviation;   // (N, 1); of an RMSNorm the root mean square
  Matrix<Scalar> y;           // (N, d)
  Matrix<Scalar> d_weight;    // (chunks, d) sums over the rows of one chunk each
  Matrix<Scalar> d_bias;      // (chunks, d)

  void resize(int rows, int d);
};

// y from x alone, where nothing is kept (decoding). x and y may be the same memory.
template <class Scalar>
void layer_norm(const LayerNorm<Scalar>& norm, double eps, const ConstMatrixRef<Scalar>& x,
                MatrixRef<Scalar> y);

// For the rows [first, first + x.rows()) of `saved`.
template <class Scalar>
void layer_norm_forward(const LayerNorm<Scalar>& norm, double eps, const ConstMatrixRef<Scalar>& x, int first,
                        LayerNormSaved<Scalar>& saved);

// Shows a tap what the rows were normalised by, under the norm's name: "mean" and "deviation", or "rms".
template <class Scalar, class T>
void record_statistics(const LayerNorm<Scalar>& norm, LayerNormSaved<Scalar>& saved, int first, int rows,
                       const Probe<T>& inside) {
  if constexpr (T::kActive) {
    if (norm.centred()) inside.per_row("mean", saved.mean.middleRows(first, rows));
    inside.per_row(norm.centred() ? "deviation" : "rms", saved.deviation.middleRows(first, rows));
  }
}

// d_x from d_y; the two may be the same memory. Writes the sums of weight and bias into row `chunk` of
// saved.d_weight and saved.d_bias.
template <class Scalar>
void layer_norm_backward(const LayerNorm<Scalar>& norm, MatrixRef<Scalar> d, int first, int chunk,
                         LayerNormSaved<Scalar>& saved);

// Adds up the chunks in their order.
template <class Scalar>
void add_layer_norm_gradient(const LayerNormSaved<Scalar>& saved, int chunks, LayerNorm<Scalar>& gradient);

}  // namespace glassformer
