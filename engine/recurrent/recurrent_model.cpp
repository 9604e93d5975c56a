#include "engine/recurrent/recurrent_model.h"

#include <algorithm>
#include <cmath>

#include "engine/math/random.h"

namespace glassformer {
namespace {

template <class Scalar>
void fill_uniform(Parameter<Scalar> tensor, double limit, Random& random) {
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.data[i] = static_cast<Scalar>(random.uniform(-limit, limit));
}

template <class Scalar>
void fill_first(Parameter<Scalar> tensor, RecurrentPart part, double width, Random& random) {
  if (part == RecurrentPart::source_embedding || part == RecurrentPart::target_embedding) {
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] = static_cast<Scalar>(random.normal());
  } else if (in_gru(part) || part == RecurrentPart::score_weight) {
    fill_uniform(tensor, 1 / std::sqrt(width), random);
  } else if (tensor.rank == 2) {
    fill_uniform(tensor, std::sqrt(6.0 / (tensor.rows + tensor.columns)), random);
  } else {
    std::fill_n(tensor.data, tensor.size(), Scalar{0});
  }
}

}  // namespace

template <class Scalar>
RecurrentModel<Scalar>::RecurrentModel(const RecurrentConfig& settings) : config(settings) {
  check(config);
  const int d = config.width;
  source_embedding.setZero(config.source_vocab, d);
  target_embedding.setZero(config.target_vocab, d);
  encoder.resize(static_cast<std::size_t>(config.layers));
  decoder.resize(static_cast<std::size_t>(config.layers));
  for (Gru<Scalar>& layer : encoder) layer.resize(d, d);
  for (Gru<Scalar>& layer : decoder) layer.resize(d, d);
  attention.kind = config.recurrent_attention;
  attention.resize(d);
  output_projection.resize(config.joined_width(), config.target_vocab, true);
}

template <class Scalar>
void RecurrentModel<Scalar>::initialize(std::uint64_t seed) {
  Random random(seed);
  visit([&](const std::string& name, Parameter<Scalar> tensor) {
    fill_first(tensor, read_recurrent_name(name)->part, config.width, random);
  });
}

template <class Scalar>
void RecurrentModel<Scalar>::set_zero() {
  visit([](const std::string&, Parameter<Scalar> tensor) {
    std::fill_n(tensor.data, tensor.size(), Scalar{0});
  });
}

template <class Scalar>
std::size_t RecurrentModel<Scalar>::parameter_count() const {
  std::size_t count = 0;
  visit([&](const std::string&, Parameter<const Scalar> tensor) { count += tensor.size(); });
  return count;
}

template <class Scalar>
template <class Other>
RecurrentModel<Other> RecurrentModel<Scalar>::cast() const {
  RecurrentModel<Other> result(config);
  std::vector<const Scalar*> from;
  visit([&](const std::string&, Parameter<const Scalar> tensor) { from.push_back(tensor.data); });
  std::size_t index = 0;
  result.visit([&](const std::string&, Parameter<Other> tensor) {
    const Scalar* values = from[index++];
    std::transform(values, values + tensor.size(), tensor.data,
                   [](Scalar value) { return static_cast<Other>(value); });
  });
  return result;
}

#define GLASSFORMER_RECURRENT_MODEL(Scalar)                                \
  template RecurrentModel<Scalar>::RecurrentModel(const RecurrentConfig&); \
  template void RecurrentModel<Scalar>::initialize(std::uint64_t);         \
  template void RecurrentModel<Scalar>::set_zero();                        \
  template std::size_t RecurrentModel<Scalar>::parameter_count() const;
GLASSFORMER_RECURRENT_MODEL(float)
GLASSFORMER_RECURRENT_MODEL(double)
template RecurrentModel<double> RecurrentModel<float>::cast<double>() const;
template RecurrentModel<float> RecurrentModel<double>::cast<float>() const;

}  // namespace glassformer
