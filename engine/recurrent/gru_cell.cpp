#include "engine/recurrent/gru_cell.h"

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

}  // namespace glassformer
