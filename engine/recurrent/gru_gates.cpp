#include "engine/recurrent/gru_gates.h"

#include <Eigen/Core>
#include <algorithm>

namespace glassformer {
namespace {

constexpr int kGatePiece = 16;

// A few numbers side by side, which compilers turn into vector instructions.
template <class Scalar>
using GatePiece = Eigen::Array<Scalar, kGatePiece, 1>;

// Numbers that are read and written a piece at a time; a shorter last piece is filled up with 0, so that a
// number does not depend on where in the row it stands.
template <class Scalar>
inline GatePiece<Scalar> take(const Scalar* from, int count) {
  if (count == kGatePiece) return Eigen::Map<const GatePiece<Scalar>>(from);
  GatePiece<Scalar> piece = GatePiece<Scalar>::Zero();
  std::copy_n(from, count, piece.data());
  return piece;
}

template <class Scalar>
inline void put(const GatePiece<Scalar>& piece, Scalar* to, int count) {
  if (count == kGatePiece) {
    Eigen::Map<GatePiece<Scalar>>{to} = piece;
  } else {
    std::copy_n(piece.data(), count, to);
  }
}

// f(first, count) for each piece of d numbers.
template <class Function>
void for_each_gate_piece(int d, Function&& f) {
  int i = 0;
  for (; i + kGatePiece <= d; i += kGatePiece) f(i, kGatePiece);
  if (i < d) f(i, d - i);
}

template <class Scalar>
GatePiece<Scalar> logistic(const GatePiece<Scalar>& x) {
  return 1 / (1 + (-x).exp());
}

}  // namespace

template <class Scalar>
void gru_row(const GruRow<Scalar>& row) {
  using Piece = GatePiece<Scalar>;
  const int d = row.d;
  for_each_gate_piece(d, [&](int i, int count) {
    const auto from_state = [&](int gate) -> Piece {
      return take(row.product + gate * d + i, count) + take(row.bias + gate * d + i, count);
    };
    const auto from_input = [&](int gate) { return take(row.gates + gate * d + i, count); };
    const Piece r = logistic<Scalar>(from_input(0) + from_state(0));
    const Piece z = logistic<Scalar>(from_input(1) + from_state(1));
    const Piece shown = from_state(2);
    const Piece n = (from_input(2) + r * shown).tanh();
    const Piece h = take(row.previous + i, count);
    put<Scalar>(r, row.gates + i, count);
    put<Scalar>(z, row.gates + d + i, count);
    put<Scalar>(n, row.gates + 2 * d + i, count);
    put<Scalar>(shown, row.shown + i, count);
    put<Scalar>(n + z * (h - n), row.output + i, count);
  });
}

template <class Scalar>
void gru_row_backward(const GruBackRow<Scalar>& row) {
  using Piece = GatePiece<Scalar>;
  const int d = row.d;
  for_each_gate_piece(d, [&](int i, int count) {
    const Piece r = take(row.gates + i, count), z = take(row.gates + d + i, count),
                n = take(row.gates + 2 * d + i, count);
    const Piece shown = take(row.shown + i, count), h = take(row.previous + i, count);
    const Piece d_h = take(row.d_output + i, count) + take<Scalar>(row.d_carried + i, count);
    const Piece d_n = d_h * (1 - z) * (1 - n * n);  // of what the tanh is taken of
    const Piece d_z = d_h * (h - n) * z * (1 - z);  // of what the sigmoids are taken of
    const Piece d_r = d_n * shown * r * (1 - r);
    put<Scalar>(d_r, row.d_input + i, count);
    put<Scalar>(d_z, row.d_input + d + i, count);
    put<Scalar>(d_n, row.d_input + 2 * d + i, count);
    put<Scalar>(d_r, row.d_state + i, count);
    put<Scalar>(d_z, row.d_state + d + i, count);
    put<Scalar>(d_n * r, row.d_state + 2 * d + i, count);
    put<Scalar>(d_h * z, row.d_carried + i, count);
  });
}

template <class Scalar>
void tanh_of_sum(const Scalar* x, const Scalar* other, Scalar* y, int count) {
  for_each_gate_piece(count, [&](int i, int piece) {
    put<Scalar>((take(x + i, piece) + take(other + i, piece)).tanh(), y + i, piece);
  });
}

#define GLASSFORMER_GRU_GATES(Scalar)                        \
  template void gru_row(const GruRow<Scalar>&);              \
  template void gru_row_backward(const GruBackRow<Scalar>&); \
  template void tanh_of_sum(const Scalar*, const Scalar*, Scalar*, int);
GLASSFORMER_GRU_GATES(float)
GLASSFORMER_GRU_GATES(double)

}  // namespace glassformer
