#include "engine/recurrent/gru_cell.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>

#include "engine/math/error.h"

namespace glassformer {

namespace {

const std::vector<GruTrace>& side_of(const RecurrentTrace& trace, const GruPlace& place) {
  return place.encoder ? trace.encoder : trace.decoder;
}

void check(const RecurrentTrace& trace, const GruPlace& place) {
  const std::vector<GruTrace>& layers = side_of(trace, place);
  const auto within = [](int at, Eigen::Index end) { return at >= 0 && at < end; };
  if (within(place.layer, std::ssize(layers)) && within(place.word, layers.front().output.rows()) &&
      within(place.unit, layers.front().output.cols()))
    return;
  throw Error("GRU", "there is no layer " + std::to_string(place.layer) + ", word " +
                         std::to_string(place.word) + ", unit " + std::to_string(place.unit));
}

GruSum sum_of(const Matrix<float>& weight, const RowVector<float>& bias, Eigen::Index row,
              const RowVector<float>& input) {
  GruSum sum;
  for (Eigen::Index i = 0; i < input.size(); ++i) {
    sum.weights.push_back(static_cast<double>(weight(row, i)));
    sum.inputs.push_back(static_cast<double>(input(i)));
    sum.total += sum.weights.back() * sum.inputs.back();
  }
  sum.bias = static_cast<double>(bias(row));
  sum.total += sum.bias;
  return sum;
}

}  // namespace

RowVector<float> gru_input(const RecurrentModel<float>& model, const RecurrentTrace& trace,
                           const GruPlace& place) {
  check(trace, place);
  if (place.layer > 0)
    return side_of(trace, place)[static_cast<std::size_t>(place.layer) - 1].output.row(place.word);
  const auto word = static_cast<std::size_t>(place.word);
  return place.encoder ? model.source_embedding.row(trace.source[word])
                       : model.target_embedding.row(trace.target_in[word]);
}

GruCell gru_cell(const RecurrentModel<float>& model, const RecurrentTrace& trace, const GruPlace& place) {
  check(trace, place);
  const auto at = static_cast<std::size_t>(place.layer);
  const GruTrace& step = side_of(trace, place)[at];
  const Gru<float>& layer = place.encoder ? model.encoder[at] : model.decoder[at];
  const Eigen::Index d = layer.width(), unit = place.unit;
  const auto gate = [&](GruNumber which) {
    return static_cast<double>(step.gates(place.word, static_cast<int>(which) * d + unit));
  };

  GruCell cell;
  if (place.number == GruNumber::state) {
    cell.update = gate(GruNumber::update);
    cell.candidate = gate(GruNumber::candidate);
    cell.before = static_cast<double>(step.previous(place.word, unit));
    cell.value = (1 - cell.update) * cell.candidate + cell.update * cell.before;
    cell.recorded = static_cast<double>(step.output(place.word, unit));
    return cell;
  }
  const Eigen::Index row = static_cast<int>(place.number) * d + unit;
  const bool candidate = place.number == GruNumber::candidate;
  cell.by_word = sum_of(layer.input_weight, layer.input_bias, row, gru_input(model, trace, place));
  cell.by_state = sum_of(layer.state_weight, layer.state_bias, row, step.previous.row(place.word));
  if (candidate) cell.reset = gate(GruNumber::reset);
  cell.argument = cell.by_word.total + cell.reset * cell.by_state.total;
  cell.value = candidate ? std::tanh(cell.argument) : 1 / (1 + std::exp(-cell.argument));
  cell.recorded = gate(place.number);
  return cell;
}

namespace {

constexpr int kGatePiece = 16;

// A few numbers side by side, which compilers turn into vector instructions.
template <class Scalar>
using GatePiece = Eigen::Array<Scalar, kGatePiece, 1>;

// Numbers that are read and written a piece at a time; a shorter last piece is filled up with 0, so that a
// number does not depend on where in the row it is.
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
