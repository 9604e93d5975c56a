// The forward pass of one sentence once more, in double and as the paper writes it, with none of the engine's
// layers: what changes to a pass are measured by. Values can be replaced on their way by their name and head.
#pragma once

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/layers/rotary.h"
#include "engine/model/transformer.h"

namespace glassformer::testing {

class NaivePass {
 public:
  using Numbers = Matrix<double>;

  explicit NaivePass(const Transformer<double>& model) : model_(model) {}

  // Called with "cross 1 scores", "encoder 0 weights", "decoder 1 context" (one head each), "encoder 0
  // output", "decoder feed-forward 1 hidden" and "... output" (head -1).
  std::function<void(const std::string& name, int head, Numbers& value)> replace;
  bool causal = true, scaled = true;
  std::function<int(bool source, int place)> position = [](bool, int place) { return place; };  // -1: none

  // Logits (L_t, V_t); source with eos, target with bos.
  Numbers logits(const std::vector<int>& source, const std::vector<int>& target) const {
    const Config& config = model_.config;
    Numbers x = embedded(source, true);
    for (std::size_t i = 0; i < model_.encoder_layers.size(); ++i) {
      const EncoderLayer<double>& layer = model_.encoder_layers[i];
      const std::string number = std::to_string(i);
      x = around(layer.norm1, x, [&](const Numbers& in) {
        return attention(layer.self_attention, "encoder " + number, in, in, true, false);
      });
      x = around(layer.norm2, x, [&](const Numbers& in) {
        return feed_forward(layer.feed_forward, "encoder feed-forward " + number, in);
      });
    }
    if (config.final_norm) x = normed(model_.encoder_norm, x);
    const Numbers memory = x;

    x = embedded(target, false);
    for (std::size_t i = 0; i < model_.decoder_layers.size(); ++i) {
      const DecoderLayer<double>& layer = model_.decoder_layers[i];
      const std::string number = std::to_string(i);
      x = around(layer.norm1, x, [&](const Numbers& in) {
        return attention(layer.self_attention, "decoder " + number, in, in, false, causal);
      });
      x = around(layer.norm2, x, [&](const Numbers& in) {
        return attention(layer.cross_attention, "cross " + number, in, memory, false, false);
      });
      x = around(layer.norm3, x, [&](const Numbers& in) {
        return feed_forward(layer.feed_forward, "decoder feed-forward " + number, in);
      });
    }
    if (config.final_norm) x = normed(model_.decoder_norm, x);
    Numbers logits = x * model_.projection().transpose();
    if (config.output_bias) logits.rowwise() += model_.output_projection.bias;
    return logits;
  }

 private:
  Numbers embedded(const std::vector<int>& ids, bool source) const {
    const Config& config = model_.config;
    const Numbers& table = source ? model_.source_table() : model_.target_embedding;
    const double scale = config.scale_embeddings ? std::sqrt(config.d_model) : 1;
    Numbers x(std::ssize(ids), config.d_model);
    for (int i = 0; i < x.rows(); ++i) {
      x.row(i) = table.row(ids[static_cast<std::size_t>(i)]) * scale;
      const int at = position(source, i);
      if (at < 0) continue;
      if (config.positions == PositionKind::learned)
        x.row(i) += (source ? model_.source_positions : model_.target_positions).row(at);
      if (config.positions != PositionKind::sinusoidal) continue;
      for (int c = 0; c < config.d_model; ++c) {
        const double angle = at / std::pow(10000.0, (c - c % 2) / static_cast<double>(config.d_model));
        x(i, c) += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    }
    const LayerNorm<double>& norm = source ? model_.source_embedding_norm : model_.target_embedding_norm;
    return config.embedding_norm ? normed(norm, x) : x;
  }

  template <class Work>
  Numbers around(const LayerNorm<double>& norm, const Numbers& x, Work&& work) const {
    if (model_.config.norm == NormPlace::pre) return x + work(normed(norm, x));
    return normed(norm, x + work(x));
  }

  Numbers normed(const LayerNorm<double>& norm, const Numbers& x) const {
    Numbers y = x;
    for (int i = 0; i < x.rows(); ++i) {
      if (model_.config.norm_kind == NormKind::rms) {
        const double square = x.row(i).array().square().mean() + model_.config.layer_norm_eps;
        y.row(i) = x.row(i).array() / std::sqrt(square) * norm.weight.array();
        continue;
      }
      const double mean = x.row(i).mean(), variance = (x.row(i).array() - mean).square().mean();
      y.row(i) = (x.row(i).array() - mean) / std::sqrt(variance + model_.config.layer_norm_eps) *
                     norm.weight.array() +
                 norm.bias.array();
    }
    return y;
  }

  static Numbers linear(const Numbers& x, const Numbers& weight, const RowVector<double>& bias) {
    Numbers y = x * weight.transpose();
    if (bias.size() > 0) y.rowwise() += bias;
    return y;
  }

  Numbers turned(Numbers x, bool source) const {
    const int k = model_.config.head_width();
    const RotaryPairs pairs{k};
    for (int i = 0; i < x.rows(); ++i) {
      const int at = position(source, i);
      for (int p = 0; p < pairs.count() && at >= 0; ++p) {
        const RotaryPair pair = pairs.pair(p);
        const double angle = at / std::pow(10000.0, 2.0 * p / k), a = x(i, pair.first), b = x(i, pair.second);
        x(i, pair.first) = a * std::cos(angle) - b * std::sin(angle);
        x(i, pair.second) = a * std::sin(angle) + b * std::cos(angle);
      }
    }
    return x;
  }

  // Of ALiBi: powers of 2^(-8/H); where H is no power of 2, then every other one of twice as many heads.
  static std::vector<double> slopes(int heads) {
    const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    std::vector<double> all;
    for (int i = 1; i <= power; ++i) all.push_back(std::pow(std::pow(2.0, -8.0 / power), i));
    if (power < heads) {
      const std::vector<double> twice = slopes(2 * power);
      for (int i = 0; i < heads - power; ++i) all.push_back(twice[static_cast<std::size_t>(2 * i)]);
    }
    return all;
  }
  // How far apart two words are; 0 where none has a position.
  Numbers distances(int words, bool source) const {
    Numbers apart = Numbers::Zero(words, words);
    for (int i = 0; i < words; ++i)
      for (int j = 0; j < words; ++j)
        if (position(source, i) >= 0) apart(i, j) = std::abs(position(source, i) - position(source, j));
    return apart;
  }

  Numbers attention(const Attention<double>& layer, const std::string& name, const Numbers& x,
                    const Numbers& y, bool source, bool hide_future) const {
    const int d = model_.config.d_model, k = d / layer.heads;
    const auto third = [&](const Numbers& in, int part) {
      const RowVector<double> bias = layer.input.bias.size() > 0
                                         ? RowVector<double>(layer.input.bias.segment(part * d, d))
                                         : RowVector<double>();
      return linear(in, layer.input.weight.middleRows(part * d, d), bias);
    };
    const Numbers query = third(x, 0), key = third(y, 1), value = third(y, 2);
    Numbers context(x.rows(), d);
    for (int head = 0; head < layer.heads; ++head) {
      Numbers q = query.middleCols(head * k, k), w = key.middleCols(head * k, k);
      if (model_.config.turns_queries() && !name.starts_with("cross")) {
        q = turned(q, source);
        w = turned(w, source);
      }
      Numbers scores = q * w.transpose();
      if (layer.scale && scaled) scores /= std::sqrt(k);
      if (model_.config.positions == PositionKind::alibi && !name.starts_with("cross"))
        scores -= slopes(layer.heads)[static_cast<std::size_t>(head)] *
                  distances(static_cast<int>(x.rows()), source);
      for (int i = 0; i < scores.rows() && hide_future; ++i) {
        for (int j = i + 1; j < scores.cols(); ++j) scores(i, j) = -std::numeric_limits<double>::infinity();
      }
      if (replace) replace(name + " scores", head, scores);
      Numbers weights = scores;
      for (int i = 0; i < weights.rows(); ++i) {
        if (layer.activation == AttentionActivation::relu) {
          const double seen = static_cast<double>(hide_future ? i + 1 : scores.cols());
          weights.row(i) = scores.row(i).cwiseMax(0) / seen;
          continue;
        }
        weights.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
        weights.row(i) /= weights.row(i).sum();
      }
      if (replace) replace(name + " weights", head, weights);
      Numbers mixed = weights * value.middleCols(head * k, k);
      if (replace) replace(name + " context", head, mixed);
      context.middleCols(head * k, k) = mixed;
    }
    Numbers output = linear(context, layer.output.weight, layer.output.bias);
    if (replace) replace(name + " output", -1, output);
    return output;
  }

  Numbers feed_forward(const FeedForward<double>& layer, const std::string& name, const Numbers& x) const {
    if (model_.config.feed_forward == FeedForwardKind::swiglu) return gated(layer, name, x);
    Numbers hidden = linear(x, layer.linear1.weight, layer.linear1.bias);
    for (int i = 0; i < hidden.rows(); ++i) {
      for (int j = 0; j < hidden.cols(); ++j) {
        const double z = hidden(i, j);
        hidden(i, j) = layer.activation == Activation::relu   ? std::max(0.0, z)
                       : layer.activation == Activation::gelu ? z / 2 * (1 + std::erf(z / std::sqrt(2.0)))
                                                              : z / (1 + std::exp(-z));
      }
    }
    return out_of(layer, name, hidden);
  }

  Numbers gated(const FeedForward<double>& layer, const std::string& name, const Numbers& x) const {
    const Numbers gate = x * layer.linear_gate.weight.transpose();
    const Numbers swish = gate.unaryExpr([](double z) { return z / (1 + std::exp(-z)); });
    return out_of(layer, name, swish.cwiseProduct(x * layer.linear1.weight.transpose()));
  }

  Numbers out_of(const FeedForward<double>& layer, const std::string& name, Numbers hidden) const {
    if (replace) replace(name + " hidden", -1, hidden);
    Numbers output = linear(hidden, layer.linear2.weight, layer.linear2.bias);
    if (replace) replace(name + " output", -1, output);
    return output;
  }

  const Transformer<double>& model_;
};

}  // namespace glassformer::testing
