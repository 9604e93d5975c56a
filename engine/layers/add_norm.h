// "Add & Norm" of the paper's figure 1: the path around every sub-layer.
//
//   post-norm (the paper's):  result = LayerNorm(x + dropout(sublayer(x)))
//   pre-norm:                 result = x + dropout(sublayer(LayerNorm(x)))
//
// Used in two halves, with the sub-layer between them:
//   before(x) gives what the sub-layer reads; it writes its output into branch(saved); after(x) makes the
//   result of it.
#pragma once

#include "engine/layers/dropout.h"
#include "engine/layers/layer_norm.h"
#include "engine/layers/tap.h"

namespace glassformer {

template <class Scalar>
struct AddNormSaved {
  LayerNormSaved<Scalar> norm;
  Matrix<Scalar> sum;  // (N, d) pre-norm alone: x + dropout(output)

  void resize(bool pre_norm, int rows, int d, int chunks);
};

// The sub-layer's own memory (N, d). Forward: its output, then the sum; post-norm normalises the sum in
// place. Backward, when that is no longer needed: the gradient of its output.
template <class Scalar>
Matrix<Scalar>& branch(bool pre_norm, AddNormSaved<Scalar>& saved) {
  return pre_norm ? saved.sum : saved.norm.normalized;
}

// The rows of one chunk, and what is the same for all Add & Norms of a model.
struct AddNormPart {
  int first = 0, rows = 0;
  int chunk = 0;
  bool pre_norm = false;
  double eps = 1e-5;
  Dropout dropout;
};

// `name` is "norm1", `sum_name` "residual1".
struct AddNormNames {
  const char* norm;
  const char* sum;
};

// Pre-norm: fills saved.norm from x. Post-norm: nothing to do.
template <class Scalar, class T>
void before(const LayerNorm<Scalar>& norm, const AddNormPart& part, const ConstMatrixRef<Scalar>& x,
            AddNormSaved<Scalar>& saved, const char* name, const Probe<T>& probe);

template <class Scalar, class T>
void after(const LayerNorm<Scalar>& norm, const AddNormPart& part, const ConstMatrixRef<Scalar>& x,
           AddNormSaved<Scalar>& saved, const AddNormNames& names, const Probe<T>& probe);

// What the sub-layer reads (all rows), and what comes out in the end.
template <class Scalar>
const Matrix<Scalar>& sublayer_input(bool pre_norm, const Matrix<Scalar>& x,
                                     const AddNormSaved<Scalar>& saved) {
  return pre_norm ? saved.norm.y : x;
}
template <class Scalar>
Matrix<Scalar>& result(bool pre_norm, AddNormSaved<Scalar>& saved) {
  return pre_norm ? saved.sum : saved.norm.y;
}

// Backward, in the opposite order. after_backward takes d = d loss / d result (n, d), leaves in it the
// gradient of the sum, and writes branch(saved), from which the sub-layer computes d_input; before_backward
// then adds what comes back through the sub-layer, so that d = d loss / d x.
template <class Scalar, class T>
void after_backward(const LayerNorm<Scalar>& norm, const AddNormPart& part, MatrixRef<Scalar> d,
                    AddNormSaved<Scalar>& saved, const AddNormNames& names, const Probe<T>& probe);
template <class Scalar, class T>
void before_backward(const LayerNorm<Scalar>& norm, const AddNormPart& part, MatrixRef<Scalar> d_input,
                     AddNormSaved<Scalar>& saved, MatrixRef<Scalar> d, const char* name,
                     const Probe<T>& probe);

}  // namespace glassformer
