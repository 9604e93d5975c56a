#include "engine/decode/incremental.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/layers/embedding.h"
#include "engine/math/error.h"
#include "engine/math/softmax.h"

namespace glassformer {
namespace {

// Attention of one query (H * k numbers) over `count` keys and values that stand `stride` apart.
template <class Scalar>
struct OneQuery {
  const Scalar* query;
  const Scalar* keys;
  const Scalar* values;
  int count;
  Eigen::Index stride;
};

template <class Scalar>
void attend_one(const OneQuery<Scalar>& q, const Attention<Scalar>& layer, int width, Scalar* weights,
                Scalar* context) {
  using Vector = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  const Scalar scale = layer.scale ? 1 / std::sqrt(static_cast<Scalar>(width)) : Scalar{1};
  for (int head = 0; head < layer.heads; ++head) {
    const Eigen::Index column = static_cast<Eigen::Index>(head) * width;
    const Eigen::Map<const Vector> query(q.query + column, width);
    for (int i = 0; i < q.count; ++i) {
      const Eigen::Map<const Vector> key(q.keys + i * q.stride + column, width);
      weights[i] = scale * (query * key).sum();
    }
    softmax(weights, q.count);
    Eigen::Map<Vector> out(context + column, width);
    out.setZero();
    for (int i = 0; i < q.count; ++i)
      out += weights[i] * Eigen::Map<const Vector>(q.values + i * q.stride + column, width);
  }
}

}  // namespace

template <class Scalar>
IncrementalDecoder<Scalar>::IncrementalDecoder(const Transformer<Scalar>& model,
                                               std::span<const std::vector<int>> sources, int max_length)
    : model_(model), max_length_(std::min(max_length, model.config.max_length)) {
  const Config& config = model.config;
  const int d = config.d_model;

  // Encode.
  Batch batch;
  batch.mask_padding = false;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    batch.source.add(sources[i]);
    batch.target_in.add({});
    batch.target_out.add({});
    sentence_.push_back(static_cast<int>(i));
  }
  Saved<Scalar> saved;
  model.encode(batch, saved);
  sources_ = batch.source;

  // Keys and values of the memory, once for all steps.
  caches_.resize(model.decoder_layers.size());
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    caches_[i].keys.resize(static_cast<Eigen::Index>(rows()) * max_length_, d);
    caches_[i].values.resize(static_cast<Eigen::Index>(rows()) * max_length_, d);
    caches_[i].memory_keys.resize(saved.memory->rows(), 2 * d);
    model.decoder_layers[i].cross_attention.input.forward(*saved.memory, caches_[i].memory_keys, d);
  }
  if (config.positions == PositionKind::learned) positions_ = model.target_positions.topRows(max_length_);
  if (config.positions == PositionKind::sinusoidal) positions_ = sinusoids<Scalar>(max_length_, d);
  weights_.resize(static_cast<std::size_t>(std::max(max_length_, sources_.longest())));
}

template <class Scalar>
void IncrementalDecoder<Scalar>::embed_next(std::span<const int> ids) {
  const Config& config = model_.config;
  x_.resize(rows(), config.d_model);
  const double scale = config.scale_embeddings ? std::sqrt(static_cast<double>(config.d_model)) : 1.0;
  embed<Scalar>(model_.target_embedding, ids, scale, x_);
  if (positions_.size() > 0) x_.rowwise() += positions_.row(length_);
  if (config.embedding_norm) layer_norm<Scalar>(model_.target_embedding_norm, config.layer_norm_eps, x_, x_);
}

template <class Scalar>
void IncrementalDecoder<Scalar>::self_attention(const DecoderLayer<Scalar>& layer, LayerCache& cache) {
  const int d = model_.config.d_model;
  projected_.resize(rows(), 3 * d);
  layer.self_attention.input.forward(input_, projected_);
  for (int row = 0; row < rows(); ++row) {
    const Eigen::Index first = static_cast<Eigen::Index>(row) * max_length_;
    cache.keys.row(first + length_) = projected_.row(row).segment(d, d);
    cache.values.row(first + length_) = projected_.row(row).tail(d);
    const OneQuery<Scalar> query{projected_.row(row).data(), cache.keys.row(first).data(),
                                 cache.values.row(first).data(), length_ + 1, d};
    attend_one(query, layer.self_attention, model_.config.head_width(), weights_.data(),
               context_.row(row).data());
  }
  layer.self_attention.output.forward(context_, branch_);
}

template <class Scalar>
void IncrementalDecoder<Scalar>::cross_attention(const DecoderLayer<Scalar>& layer, const LayerCache& cache) {
  const int d = model_.config.d_model;
  projected_.resize(rows(), d);
  layer.cross_attention.input.forward(input_, projected_);
  for (int row = 0; row < rows(); ++row) {
    const int sentence = sentence_[static_cast<std::size_t>(row)];
    const Scalar* keys =
        cache.memory_keys.data() + static_cast<Eigen::Index>(sources_.begin(sentence)) * 2 * d;
    const OneQuery<Scalar> query{projected_.row(row).data(), keys, keys + d, sources_.length(sentence),
                                 2 * d};
    attend_one(query, layer.cross_attention, model_.config.head_width(), weights_.data(),
               context_.row(row).data());
  }
  layer.cross_attention.output.forward(context_, branch_);
}

template <class Scalar>
const Matrix<Scalar>& IncrementalDecoder<Scalar>::step(std::span<const int> ids) {
  const Config& config = model_.config;
  if (length_ >= max_length_) {
    throw Error("decoding",
                "the model writes at most " + std::to_string(max_length_) + " tokens, bos included");
  }
  const bool pre_norm = config.norm == NormPlace::pre;
  embed_next(ids);
  input_.resizeLike(x_);
  branch_.resizeLike(x_);
  context_.resizeLike(x_);
  hidden_.resize(rows(), config.d_ff);
  logits_.resize(rows(), config.target_vocab);

  // Add & Norm around a sub-layer that reads input_ and writes branch_.
  const auto before = [&](const LayerNorm<Scalar>& norm) {
    if (pre_norm) {
      layer_norm<Scalar>(norm, config.layer_norm_eps, x_, input_);
    } else {
      input_ = x_;
    }
  };
  const auto after = [&](const LayerNorm<Scalar>& norm) {
    x_ += branch_;
    if (!pre_norm) layer_norm<Scalar>(norm, config.layer_norm_eps, x_, x_);
  };

  for (std::size_t i = 0; i < model_.decoder_layers.size(); ++i) {
    const DecoderLayer<Scalar>& layer = model_.decoder_layers[i];
    before(layer.norm1);
    self_attention(layer, caches_[i]);
    after(layer.norm1);

    before(layer.norm2);
    cross_attention(layer, caches_[i]);
    after(layer.norm2);

    before(layer.norm3);
    layer.feed_forward.linear1.forward(input_, hidden_);
    activate(layer.feed_forward.activation, hidden_.data(), hidden_.data(),
             static_cast<std::size_t>(hidden_.size()));
    layer.feed_forward.linear2.forward(hidden_, branch_);
    after(layer.norm3);
  }
  if (config.final_norm) layer_norm<Scalar>(model_.decoder_norm, config.layer_norm_eps, x_, x_);
  project<Scalar>(x_, model_.projection(), logits_);
  if (config.output_bias) logits_.rowwise() += model_.output_projection.bias;
  ++length_;
  return logits_;
}

template <class Scalar>
void IncrementalDecoder<Scalar>::select(std::span<const int> from) {
  std::vector<int> sentences;
  bool same = std::ssize(from) == rows();
  for (std::size_t i = 0; i < from.size(); ++i) {
    sentences.push_back(sentence_[static_cast<std::size_t>(from[i])]);
    same = same && from[i] == static_cast<int>(i);
  }
  if (same) return;
  const auto gather = [&](Matrix<Scalar>& cache) {
    selected_.resize(std::ssize(from) * max_length_, cache.cols());
    for (std::size_t i = 0; i < from.size(); ++i) {
      selected_.middleRows(static_cast<Eigen::Index>(i) * max_length_, length_) =
          cache.middleRows(static_cast<Eigen::Index>(from[i]) * max_length_, length_);
    }
    std::swap(selected_, cache);
  };
  for (LayerCache& cache : caches_) {
    gather(cache.keys);
    gather(cache.values);
  }
  sentence_ = std::move(sentences);
}

template class IncrementalDecoder<float>;
template class IncrementalDecoder<double>;

}  // namespace glassformer
