#include "engine/model/transformer.h"

#include <algorithm>
#include <cmath>

#include "engine/math/random.h"
#include "engine/model/initial_weights.h"
#include "engine/model/names.h"
#include "engine/model/pass.h"

namespace glassformer {
namespace {

// The numbers are not set.
template <class Scalar>
void resize(Linear<Scalar>& linear, int in, int out, bool with_bias) {
  linear.weight.resize(out, in);
  linear.bias.resize(with_bias ? out : 0);
}

template <class Scalar>
void resize(Attention<Scalar>& attention, const Config& config) {
  resize(attention.input, config.d_model, 3 * config.d_model, config.attention_bias);
  resize(attention.output, config.d_model, config.d_model, config.attention_bias);
  attention.heads = config.heads;
  attention.scale = config.attention_scale;
  attention.activation = config.attention_activation;
}

template <class Scalar>
void resize(FeedForward<Scalar>& feed_forward, const Config& config) {
  const bool gated = feed_forward_traits(config.feed_forward).gated;
  resize(feed_forward.linear1, config.d_model, config.d_ff, !gated);
  if (gated) resize(feed_forward.linear_gate, config.d_model, config.d_ff, false);
  resize(feed_forward.linear2, config.d_ff, config.d_model, !gated);
  feed_forward.activation = config.unit_activation();
}

}  // namespace

template <class Scalar>
Transformer<Scalar>::Transformer(const Config& settings, Numbers numbers) : config(settings) {
  check(config);
  const int d = config.d_model;
  if (!shares_all()) source_embedding.resize(config.source_vocab, d);
  target_embedding.resize(config.target_vocab, d);
  if (config.learns_positions()) {
    source_positions.resize(config.max_length, d);
    target_positions.resize(config.max_length, d);
  }
  if (config.embedding_norm) {
    source_embedding_norm.resize(d, config.norm_kind);
    target_embedding_norm.resize(d, config.norm_kind);
  }
  encoder_layers.resize(static_cast<std::size_t>(config.encoder_layers));
  for (EncoderLayer<Scalar>& layer : encoder_layers) {
    resize(layer.self_attention, config);
    layer.norm1.resize(d, config.norm_kind);
    resize(layer.feed_forward, config);
    layer.norm2.resize(d, config.norm_kind);
  }
  decoder_layers.resize(static_cast<std::size_t>(config.decoder_layers));
  for (DecoderLayer<Scalar>& layer : decoder_layers) {
    resize(layer.self_attention, config);
    layer.norm1.resize(d, config.norm_kind);
    resize(layer.cross_attention, config);
    layer.norm2.resize(d, config.norm_kind);
    resize(layer.feed_forward, config);
    layer.norm3.resize(d, config.norm_kind);
  }
  if (config.turns_queries()) {
    const auto rotary = std::make_shared<const Rotary<Scalar>>(config.max_length, config.rotary_pairs());
    for (EncoderLayer<Scalar>& layer : encoder_layers) layer.self_attention.rotary = rotary;
    for (DecoderLayer<Scalar>& layer : decoder_layers) layer.self_attention.rotary = rotary;
  }
  const bool biased = position_traits(config.positions).biased;
  for (EncoderLayer<Scalar>& layer : encoder_layers) layer.self_attention.biased = biased;
  for (DecoderLayer<Scalar>& layer : decoder_layers) layer.self_attention.biased = biased;
  if (config.final_norm) {
    encoder_norm.resize(d, config.norm_kind);
    decoder_norm.resize(d, config.norm_kind);
  }
  if (!shares_output()) output_projection.weight.resize(config.target_vocab, d);
  output_projection.bias.resize(config.output_bias ? config.target_vocab : 0);
  if (numbers == Numbers::zero) set_zero();
}

template <class Scalar>
void Transformer<Scalar>::initialize(std::uint64_t seed) {
  std::uint64_t index = 0;
  visit([&](const std::string& name, Parameter<Scalar> tensor) {
    Random random(derive_seed(seed, ++index));
    const InitialWeights begin = initial_weights(config, name, tensor.rows, tensor.columns);
    const auto draw = [&]() -> double {
      switch (begin.kind) {
        case InitialWeights::Kind::even:
          return random.uniform(-begin.limit, begin.limit);
        case InitialWeights::Kind::normal:
          return random.normal() * begin.deviation;
        case InitialWeights::Kind::constant:
          break;
      }
      return begin.value;
    };
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data[i] = static_cast<Scalar>(draw());
  });
}

template <class Scalar>
void Transformer<Scalar>::set_zero() {
  detail::set_zero(*this);
}

template <class Scalar>
std::size_t Transformer<Scalar>::parameter_count() const {
  return detail::count_numbers(*this);
}

template <class Scalar>
template <class Other>
Transformer<Other> Transformer<Scalar>::cast() const {
  Transformer<Other> result(config, Transformer<Other>::Numbers::unset);
  detail::copy_numbers(*this, result);
  return result;
}

// ---- passes, with and without somebody who looks in

template <class Scalar>
void Transformer<Scalar>::forward(const Batch& batch, Saved<Scalar>& saved) const {
  NoTap nobody;
  run_forward(*this, batch, saved, nobody);
}

template <class Scalar>
void Transformer<Scalar>::forward(const Batch& batch, Saved<Scalar>& saved, Tap<Scalar>& tap) const {
  run_forward(*this, batch, saved, tap);
}

template <class Scalar>
void Transformer<Scalar>::encode(const Batch& batch, Saved<Scalar>& saved) const {
  NoTap nobody;
  run_encoder(*this, batch, saved, nobody);
}

template <class Scalar>
void Transformer<Scalar>::encode(const Batch& batch, Saved<Scalar>& saved, Tap<Scalar>& tap) const {
  run_encoder(*this, batch, saved, tap);
}

template <class Scalar>
Loss Transformer<Scalar>::loss(const Batch& batch, Saved<Scalar>& saved, const LossOptions& options) const {
  NoTap nobody;
  return run_loss(*this, batch, saved, options, nobody);
}

template <class Scalar>
Loss Transformer<Scalar>::loss(const Batch& batch, Saved<Scalar>& saved, const LossOptions& options,
                               Tap<Scalar>& tap) const {
  return run_loss(*this, batch, saved, options, tap);
}

template <class Scalar>
void Transformer<Scalar>::backward(const Batch& batch, Saved<Scalar>& saved, Transformer& gradient,
                                   bool add) const {
  NoTap nobody;
  run_backward(*this, batch, saved, nobody);
  add_weight_gradients(*this, batch, saved, gradient, add);
}

template <class Scalar>
void Transformer<Scalar>::backward(const Batch& batch, Saved<Scalar>& saved, Transformer& gradient,
                                   Tap<Scalar>& tap, bool add) const {
  run_backward(*this, batch, saved, tap);
  add_weight_gradients(*this, batch, saved, gradient, add);
}

template class Transformer<float>;
template class Transformer<double>;
template Transformer<double> Transformer<float>::cast<double>() const;
template Transformer<float> Transformer<double>::cast<float>() const;

}  // namespace glassformer
