// One number of one step of a GRU, computed term by term from the numbers of a trace: a gate, the
// candidate, or the new state (gru.h has the formulas).
#pragma once

#include <vector>

#include "engine/recurrent/recurrent_trace.h"

namespace glassformer {

enum class GruNumber { reset, update, candidate, state };  // r, z, n in the order of a weight's rows; h'

struct GruPlace {
  bool encoder = true;
  int layer = 0;
  int word = 0;  // a row of the trace
  int unit = 0;  // 0 to d - 1
  GruNumber number = GruNumber::state;
  bool operator==(const GruPlace&) const = default;
};

// A row of a weight times what it meets, with a bias.
struct GruSum {
  std::vector<double> weights, inputs;
  double bias = 0;
  double total = 0;  // of the products and the bias
};

struct GruCell {
  // Of a gate or the candidate; a state has no terms.
  GruSum by_word, by_state;
  double reset = 1;     // r, which multiplies by_state in a candidate
  double argument = 0;  // of sigmoid or tanh
  // Of a state: what it is put together from.
  double update = 0, candidate = 0, before = 0;  // z, n, h
  double value = 0;                              // computed here, in double
  double recorded = 0;                           // in the trace
};

// What layer `place.layer` reads at that word: an embedding, or the state of the layer below. (d)
RowVector<float> gru_input(const RecurrentModel<float>& model, const RecurrentTrace& trace,
                           const GruPlace& place);
// Throws Error where the trace has no such place.
GruCell gru_cell(const RecurrentModel<float>& model, const RecurrentTrace& trace, const GruPlace& place);

// The arithmetic of one row of a gated recurrent unit, number by number. Internal to engine/recurrent.

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
