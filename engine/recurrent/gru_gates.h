// The arithmetic of one row of a gated recurrent unit, number by number. Internal to engine/recurrent.
#pragma once

namespace glassformer {

// Everything of one row. Vectors have d numbers, those of three gates 3d: r, z, n.
template <class Scalar>
struct GruRow {
  int d = 0;
  Scalar* gates = nullptr;           // in: W_i x + b_i; out: r, z, n
  const Scalar* product = nullptr;   // W_h h, of the three gates
  const Scalar* bias = nullptr;      // b_h, of the three gates
  const Scalar* previous = nullptr;  // h
  Scalar* shown = nullptr;           // out: W_hn h + b_hn
  Scalar* output = nullptr;          // out: h'
};
template <class Scalar>
void gru_row(const GruRow<Scalar>& row);

template <class Scalar>
struct GruBackRow {
  int d = 0;
  const Scalar* gates = nullptr;     // r, z, n
  const Scalar* shown = nullptr;     // W_hn h + b_hn
  const Scalar* previous = nullptr;  // h
  const Scalar* d_output = nullptr;  // what comes from above
  Scalar* d_carried = nullptr;       // in: what comes from the next step; out: what z lets through to h
  Scalar* d_input = nullptr;         // out: of W_i x + b_i
  Scalar* d_state = nullptr;         // out: of W_h h + b_h
};
template <class Scalar>
void gru_row_backward(const GruBackRow<Scalar>& row);

// y = tanh(x + other)
template <class Scalar>
void tanh_of_sum(const Scalar* x, const Scalar* other, Scalar* y, int count);

}  // namespace glassformer
