#include "engine/decode/incremental.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/layers/embedding.h"
#include "engine/math/product.h"
#include "engine/math/softmax.h"

namespace glassformer {
namespace {

constexpr int kLine = 16;  // tokens that are weighed together

int whole_lines(int tokens) {
  return (tokens + kLine - 1) / kLine * kLine;
}

// One query (H * k numbers) and the tokens that it can see.
template <class Scalar>
struct OneQuery {
  const Scalar* query;
  const Scalar* keys;  // (H * k, room), a token a column
  int room;
  const Scalar* values;  // (count, H * k)
  int count;
  const GivenPositions* positions = nullptr;  // of self-attention, where the query is the last token
};

// Who looks in at it.
template <class Scalar>
struct OneQueryProbe {
  std::optional<Probe<Tap<Scalar>>> probe;
  int sentence = 0;
  Side key_side = Side::target;
};

template <class Scalar>
void attend_one(const OneQuery<Scalar>& q, const Attention<Scalar>& layer, int width,
                const OneQueryProbe<Scalar>& look, std::vector<Scalar>& weights, Scalar* context) {
  constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();
  const int d = layer.heads * width, seen = whole_lines(q.count);
  const Scalar scale = layer.scale ? 1 / std::sqrt(static_cast<Scalar>(width)) : Scalar{1};
  const Block<Scalar> scores{weights.data(), 1, seen, seen};
  for (int head = 0; head < layer.heads; ++head) {
    const int column = head * width;
    product<Scalar>({q.query + column, 1, width, d},
                    {q.keys + static_cast<std::ptrdiff_t>(column) * q.room, width, seen, q.room}, scores);
    Eigen::Map<RowVector<Scalar>>(scores.data, seen) *= scale;
    std::fill(scores.data + q.count, scores.data + seen, kHidden);
    const auto record = [&](const char* value) {
      if (look.probe)
        look.probe->attention(value, Eigen::Map<Matrix<Scalar>>(scores.data, 1, q.count), layer.heads,
                              look.sentence, head, look.key_side);
    };
    record("scores");
    bias_scores<Scalar>(layer, head, q.positions, q.count - 1,
                        Eigen::Map<Matrix<Scalar>>(scores.data, 1, q.count));
    record("masked_scores");
    if (layer.activation == AttentionActivation::softmax) {
      softmax(scores.data, seen);
    } else {
      for (int key = 0; key < seen; ++key) {
        Scalar& score = scores.data[key];
        score = score <= 0 ? Scalar{0} : score / static_cast<Scalar>(q.count);
      }
    }
    record("weights");
    product<Scalar>({scores.data, 1, q.count, seen}, {q.values + column, q.count, width, d},
                    {context + column, 1, width, d});
  }
}

// `count` columns from `first` on.
template <class Scalar>
Block<Scalar> columns_of(Matrix<Scalar>& m, int first, int count) {
  return {m.data() + first, static_cast<int>(m.rows()), count, static_cast<int>(m.cols())};
}

}  // namespace

template <class Scalar>
IncrementalDecoder<Scalar>::IncrementalDecoder(const ChangedModel<Scalar>& model,
                                               const DecoderPanels<Scalar>* panels, const DecoderInput& input)
    : model_(model.model()), panels_(panels), pool_(input.pool), max_length_(input.max_length) {
  const Config& config = model_.config;

  // Encode.
  Batch batch;
  batch.rules.mask_padding.fill(false);
  for (std::size_t i = 0; i < input.sources.size(); ++i) {
    batch.source.add(input.sources[i]);
    batch.target_in.add({});
    batch.target_out.add({});
    sentence_.push_back(static_cast<int>(i));
  }
  model.change(batch, input.first_sentence);
  Saved<Scalar> saved;
  if (model.what_if().empty()) {
    model_.encode(batch, saved);
  } else {
    tap_.emplace(model.tap());
    tap_->rows_of(batch, input.first_sentence);
    model_.encode(batch, saved, *tap_);
  }
  sources_ = batch.source;

  caches_.resize(model_.decoder_layers.size());
  memory_room_ = whole_lines(sources_.longest());
  for (std::size_t i = 0; i < caches_.size(); ++i)
    keep_memory(model_.decoder_layers[i].cross_attention.input, *saved.memory, caches_[i]);
  given_ = batch.rules.target_positions;
  if (config.adds_positions() && !given_.none) {
    const Matrix<Scalar> table =
        config.learns_positions()
            ? model_.target_positions
            : sinusoids<Scalar>(given_.end(max_length_), config.d_model, config.wave_form());
    positions_.resize(max_length_, config.d_model);
    for (int place = 0; place < max_length_; ++place) positions_.row(place) = table.row(given_.at(place));
  }
  weights_.resize(static_cast<std::size_t>(std::max(whole_lines(max_length_), memory_room_)));
}

// Keys and values of the memory, once for all steps.
template <class Scalar>
void IncrementalDecoder<Scalar>::keep_memory(const Linear<Scalar>& input, const Matrix<Scalar>& memory,
                                             LayerCache& cache) {
  const int d = model_.config.d_model;
  Matrix<Scalar> keys(memory.rows(), d);
  input.forward(memory, keys, d);
  cache.memory_values.resize(memory.rows(), d);
  input.forward(memory, cache.memory_values, 2 * d);
  cache.memory_keys.setZero(static_cast<Eigen::Index>(rows()) * d, memory_room_);
  for (int i = 0; i < rows(); ++i) {
    cache.memory_keys.block(static_cast<Eigen::Index>(i) * d, 0, d, sources_.length(i)) =
        keys.middleRows(sources_.begin(i), sources_.length(i)).transpose();
  }
}

// Calls work(first, count) for shares of the columns of a product, on several threads where the weights, so
// many numbers, are worth a meeting of the threads.
template <class Scalar>
template <class Work>
void IncrementalDecoder<Scalar>::for_column_shares(Eigen::Index weights, int columns, Work&& work) const {
  constexpr Eigen::Index kWorthMeeting = 32768;
  constexpr int kPanel = 64;  // a share begins with a panel, and with a line of the cache
  const int panels = (columns + kPanel - 1) / kPanel;
  const int shares = pool_ && weights >= kWorthMeeting ? std::min(pool_->threads(), panels) : 1;
  run_on(pool_, shares, [&](int share) {
    const int first = panels * share / shares * kPanel;
    work(first, std::min(columns, panels * (share + 1) / shares * kPanel) - first);
  });
}

// y = x W^T + b for the first outputs of a layer, as many as y has columns.
template <class Scalar>
void IncrementalDecoder<Scalar>::apply(const Linear<Scalar>& layer, const Panels<Scalar>* panels,
                                       Matrix<Scalar>& x, Matrix<Scalar>& y) const {
  for_column_shares(x.cols() * y.cols(), static_cast<int>(y.cols()), [&](int first, int count) {
    if (panels) {
      product<Scalar>(columns_of(x, 0, static_cast<int>(x.cols())), *panels, columns_of(y, first, count),
                      first);
    } else {
      layer.forward(x, y.middleCols(first, count), first);
    }
  });
  if (panels && layer.bias.size() > 0) y.rowwise() += layer.bias.head(y.cols());
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
std::optional<Probe<Tap<Scalar>>> IncrementalDecoder<Scalar>::look_into(const ValueName& block) {
  if (!tap_) return std::nullopt;
  return Probe<Tap<Scalar>>{*tap_, false, Side::target, 0, written(block), length_};
}

template <class Scalar>
void IncrementalDecoder<Scalar>::self_attention(std::size_t layer, const LayerPanels* panels) {
  const Attention<Scalar>& attention = model_.decoder_layers[layer].self_attention;
  LayerCache& cache = caches_[layer];
  const int d = model_.config.d_model;
  const auto probe = look_into(value_in(AttentionKind::decoder, static_cast<int>(layer), ValueKind::whole));
  projected_.resize(rows(), 3 * d);
  apply(attention.input, panels ? &panels->self_input : nullptr, input_, projected_);
  for (int row = 0; row < rows(); ++row) {
    const Eigen::Index first_key = static_cast<Eigen::Index>(row) * d;
    const Eigen::Index first_value = static_cast<Eigen::Index>(row) * room_;
    position_queries_and_keys<Scalar>(attention, given_, length_, projected_.middleRows(row, 1));
    cache.keys.col(length_).segment(first_key, d) = projected_.row(row).segment(d, d).transpose();
    cache.values.row(first_value + length_) = projected_.row(row).tail(d);
    const OneQuery<Scalar> query{projected_.row(row).data(),
                                 cache.keys.row(first_key).data(),
                                 room_,
                                 cache.values.row(first_value).data(),
                                 length_ + 1,
                                 &given_};
    attend_one<Scalar>(query, attention, model_.config.head_width(),
                       {probe, sentence_[static_cast<std::size_t>(row)], Side::target}, weights_,
                       context_.row(row).data());
  }
  if (probe) probe->heads("context", context_, attention.heads);
  apply(attention.output, panels ? &panels->self_output : nullptr, context_, branch_);
  if (probe) probe->rows("output", branch_);
}

template <class Scalar>
void IncrementalDecoder<Scalar>::cross_attention(std::size_t layer, const LayerPanels* panels) {
  const Attention<Scalar>& attention = model_.decoder_layers[layer].cross_attention;
  const LayerCache& cache = caches_[layer];
  const int d = model_.config.d_model;
  const auto probe = look_into(value_in(AttentionKind::cross, static_cast<int>(layer), ValueKind::whole));
  projected_.resize(rows(), d);
  apply(attention.input, panels ? &panels->cross_query : nullptr, input_, projected_);
  for (int row = 0; row < rows(); ++row) {
    const int sentence = sentence_[static_cast<std::size_t>(row)];
    const OneQuery<Scalar> query{
        projected_.row(row).data(), cache.memory_keys.row(static_cast<Eigen::Index>(sentence) * d).data(),
        memory_room_, cache.memory_values.row(sources_.begin(sentence)).data(), sources_.length(sentence)};
    attend_one<Scalar>(query, attention, model_.config.head_width(), {probe, sentence, Side::source},
                       weights_, context_.row(row).data());
  }
  if (probe) probe->heads("context", context_, attention.heads);
  apply(attention.output, panels ? &panels->cross_output : nullptr, context_, branch_);
  if (probe) probe->rows("output", branch_);
}

template <class Scalar>
void IncrementalDecoder<Scalar>::feed_forward(std::size_t layer, const LayerPanels* panels) {
  const FeedForward<Scalar>& feed_forward = model_.decoder_layers[layer].feed_forward;
  const auto probe = look_into({BlockKind::feed_forward, ValueKind::whole, false, static_cast<int>(layer)});
  apply(feed_forward.linear1, panels ? &panels->linear1 : nullptr, input_, hidden_);
  const auto size = static_cast<std::size_t>(hidden_.size());
  if (feed_forward.gated()) {
    gate_.resizeLike(hidden_);
    apply(feed_forward.linear_gate, panels ? &panels->linear_gate : nullptr, input_, gate_);
    activate(feed_forward.activation, gate_.data(), gate_.data(), size);
    hidden_.array() *= gate_.array();
  } else {
    activate(feed_forward.activation, hidden_.data(), hidden_.data(), size);
  }
  if (probe) probe->rows("hidden", hidden_);
  apply(feed_forward.linear2, panels ? &panels->linear2 : nullptr, hidden_, branch_);
  if (probe) probe->rows("output", branch_);
}

template <class Scalar>
const Matrix<Scalar>& IncrementalDecoder<Scalar>::step(std::span<const int> ids) {
  const Config& config = model_.config;
  if (length_ >= max_length_) refuse_more_words(max_length_);
  const bool pre_norm = config.norm == NormPlace::pre;
  if (length_ == room_) {
    std::vector<int> all(static_cast<std::size_t>(rows()));
    std::iota(all.begin(), all.end(), 0);
    rearrange(all, std::min(std::max(kLine, 2 * room_), whole_lines(max_length_)));
  }
  if (tap_) tap_->rows_at(length_, sentence_);
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
    const LayerPanels* panels = panels_ ? &panels_->layers[i] : nullptr;
    before(layer.norm1);
    self_attention(i, panels);
    after(layer.norm1);

    before(layer.norm2);
    cross_attention(i, panels);
    after(layer.norm2);

    before(layer.norm3);
    feed_forward(i, panels);
    after(layer.norm3);
  }
  if (config.final_norm) layer_norm<Scalar>(model_.decoder_norm, config.layer_norm_eps, x_, x_);
  for_column_shares(static_cast<Eigen::Index>(config.target_vocab) * config.d_model, config.target_vocab,
                    [&](int first, int count) {
                      if (panels_) {
                        product<Scalar>(columns_of(x_, 0, config.d_model), panels_->projection,
                                        columns_of(logits_, first, count), first);
                      } else {
                        project<Scalar>(x_, model_.projection().middleRows(first, count),
                                        logits_.middleCols(first, count));
                      }
                    });
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
  rearrange(from, room_);
  sentence_ = std::move(sentences);
}

// Row i's own keys and values become those of row from[i], with room for so many tokens.
template <class Scalar>
void IncrementalDecoder<Scalar>::rearrange(std::span<const int> from, int room) {
  const int d = model_.config.d_model;
  for (LayerCache& cache : caches_) {
    keys_.setZero(std::ssize(from) * d, room);
    values_.resize(std::ssize(from) * room, d);
    for (std::size_t i = 0; i < from.size() && length_ > 0; ++i) {
      const auto to = static_cast<Eigen::Index>(i), row = static_cast<Eigen::Index>(from[i]);
      keys_.block(to * d, 0, d, length_) = cache.keys.block(row * d, 0, d, length_);
      values_.middleRows(to * room, length_) = cache.values.middleRows(row * room_, length_);
    }
    std::swap(cache.keys, keys_);
    std::swap(cache.values, values_);
  }
  room_ = room;
}

template class IncrementalDecoder<float>;
template class IncrementalDecoder<double>;

}  // namespace glassformer
