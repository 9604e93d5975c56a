#include "engine/recurrent/gru.h"

#include "engine/math/work_profile.h"
#include "engine/recurrent/gru_cell.h"

namespace glassformer {
namespace {

template <class Scalar>
Factor<Scalar> whole(const Matrix<Scalar>& matrix) {
  return {matrix.data(), static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), matrix.cols()};
}

// Some rows of a matrix.
template <class Scalar>
Factor<Scalar> rows_of(const ConstMatrixRef<Scalar>& matrix, int first, int count) {
  return {matrix.data() + first * matrix.outerStride(), count, static_cast<int>(matrix.cols()),
          matrix.outerStride()};
}
template <class Scalar>
Block<Scalar> rows_to(Matrix<Scalar>& matrix, int first, int count) {
  const auto columns = static_cast<int>(matrix.cols());
  return {matrix.data() + first * matrix.cols(), count, columns, columns};
}

template <class Scalar>
void multiply_panels(const Factor<Scalar>& a, const Panels<Scalar>& b, const Block<Scalar>& c) {
  const Doing doing(Work::product, 2.0 * a.rows * a.columns * c.columns);
  product(a, b, c);
}

}  // namespace

template <class Scalar>
void Gru<Scalar>::resize(int in, int d) {
  input_weight.setZero(3 * d, in);
  state_weight.setZero(3 * d, d);
  input_bias.setZero(3 * d);
  state_bias.setZero(3 * d);
}

template <class Scalar>
GruPanels<Scalar> forward_panels(const Gru<Scalar>& layer) {
  return {Panels<Scalar>(whole(layer.input_weight).transposed()),
          Panels<Scalar>(whole(layer.state_weight).transposed())};
}

template <class Scalar>
GruPanels<Scalar> backward_panels(const Gru<Scalar>& layer) {
  return {Panels<Scalar>(whole(layer.input_weight)), Panels<Scalar>(whole(layer.state_weight))};
}

template <class Scalar>
void GruSaved<Scalar>::make_room_for(int rows, int sentences, int d) {
  make_room(gates, rows, 3 * d);
  make_room(shown, rows, d);
  make_room(previous, rows, d);
  make_room(output, rows, d);
  make_room(first, sentences, d);
  make_room(last, sentences, d);
  make_room(step, sentences, 3 * d);
}

template <class Scalar>
void GruSaved<Scalar>::make_room_for_backward() {
  make_room(d_input, gates.rows(), gates.cols());
  make_room(d_state, gates.rows(), gates.cols());
  make_room(d_first, first.rows(), first.cols());
  make_room(d_last, first.rows(), first.cols());
}

template <class Scalar>
void gru_forward(const Gru<Scalar>& layer, const GruPanels<Scalar>& panels, const Steps& steps,
                 const ConstMatrixRef<Scalar>& x, int first_place, GruSaved<Scalar>& saved) {
  const int d = layer.width();

  // What the words say, of all steps at once.
  const int first_row = steps.first_row(), rows = steps.rows();
  multiply_panels(rows_of<Scalar>(x, first_row, rows), panels.input, rows_to(saved.gates, first_row, rows));
  saved.gates.middleRows(first_row, rows).rowwise() += layer.input_bias;

  // Step by step, from the state before.
  const Matrix<Scalar>* state = &saved.first;
  int state_row = first_place;
  for (int step = 0; step < steps.steps(); ++step) {
    const int first = steps.first(step), count = steps.count(step);
    saved.previous.middleRows(first, count) = state->middleRows(state_row, count);
    multiply_panels(rows_of<Scalar>(*state, state_row, count), panels.state,
                    rows_to(saved.step, first_place, count));
    for (int place = 0; place < count; ++place) {
      gru_row<Scalar>({d, saved.gates.row(first + place).data(), saved.step.row(first_place + place).data(),
                       layer.state_bias.data(), saved.previous.row(first + place).data(),
                       saved.shown.row(first + place).data(), saved.output.row(first + place).data()});
    }
    state = &saved.output;
    state_row = first;
  }

  // A sentence without a word keeps the state it began with.
  for (int place = 0; place < steps.sentences(); ++place) {
    saved.last.row(first_place + place) = steps.length(place) > 0 ? saved.output.row(steps.last_row(place))
                                                                  : saved.first.row(first_place + place);
  }
}

template <class Scalar>
void gru_backward(const Gru<Scalar>& layer, const GruPanels<Scalar>& panels, const Steps& steps,
                  const Matrix<Scalar>& d, int first_place, GruSaved<Scalar>& saved, Matrix<Scalar>* d_x) {
  const int width = layer.width();
  const int sentences = steps.sentences();
  const Factor<Scalar> d_state = whole(saved.d_state);

  // d_first is what is carried from step to step: in the end it has come to the beginning.
  saved.d_first.middleRows(first_place, sentences) = saved.d_last.middleRows(first_place, sentences);
  const Block<Scalar> scratch{saved.step.row(first_place).data(), 0, width, 3 * width};
  using Scratch = Eigen::Map<const Matrix<Scalar>, 0, Eigen::OuterStride<>>;
  for (int step = steps.steps() - 1; step >= 0; --step) {
    const int first = steps.first(step), count = steps.count(step);
    for (int place = 0; place < count; ++place) {
      const int row = first + place;
      gru_row_backward<Scalar>({width, saved.gates.row(row).data(), saved.shown.row(row).data(),
                                saved.previous.row(row).data(), d.row(row).data(),
                                saved.d_first.row(first_place + place).data(), saved.d_input.row(row).data(),
                                saved.d_state.row(row).data()});
    }
    // W_h h hands its part back to h.
    Factor<Scalar> d_product = d_state;
    d_product.data += first * d_product.row_step;
    d_product.rows = count;
    multiply_panels(d_product, panels.state, {scratch.data, count, width, scratch.stride});
    saved.d_first.middleRows(first_place, count) +=
        Scratch(scratch.data, count, width, Eigen::OuterStride<>(scratch.stride));
  }

  if (d_x == nullptr) return;
  const int first_row = steps.first_row(), rows = steps.rows();
  multiply_panels(rows_of<Scalar>(saved.d_input, first_row, rows), panels.input,
                  rows_to(*d_x, first_row, rows));
}

#define GLASSFORMER_GRU(Scalar)                                                          \
  template struct Gru<Scalar>;                                                           \
  template GruPanels<Scalar> forward_panels(const Gru<Scalar>&);                         \
  template GruPanels<Scalar> backward_panels(const Gru<Scalar>&);                        \
  template struct GruSaved<Scalar>;                                                      \
  template void gru_forward(const Gru<Scalar>&, const GruPanels<Scalar>&, const Steps&,  \
                            const ConstMatrixRef<Scalar>&, int, GruSaved<Scalar>&);      \
  template void gru_backward(const Gru<Scalar>&, const GruPanels<Scalar>&, const Steps&, \
                             const Matrix<Scalar>&, int, GruSaved<Scalar>&, Matrix<Scalar>*);
GLASSFORMER_GRU(float)
GLASSFORMER_GRU(double)

}  // namespace glassformer
