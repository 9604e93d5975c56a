#include "engine/decode/incremental.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/layers/embedding.h"
#include "engine/math/product.h"
#include "engine/math/registers.h"
#include "engine/math/softmax.h"

namespace glassformer {
namespace {

constexpr int kLine = 16;  // tokens that are weighed together

int whole_lines(int tokens) {
  return (tokens + kLine - 1) / kLine * kLine;
}

// Queries of one sentence, and who looks in at what they see.
template <class Scalar>
struct Queries {
  int rows;   // hypotheses
  int count;  // tokens that they see
  int sentence;
  Side key_side;
  std::optional<Probe<Tap<Scalar>>> probe;
  const GivenPositions* positions = nullptr;  // of self-attention, where the query is the last token
};

// score(scores) writes the products of queries and keys, a row for each head's each query, whole lines of
// tokens; mix(weights) the weighted sums of values.
template <class Scalar, class Score, class Mix>
void attend(const Queries<Scalar>& q, const Attention<Scalar>& layer, int width, std::vector<Scalar>& weights,
            Score&& score, Mix&& mix) {
  constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();
  const int seen = whole_lines(q.count), rows = layer.heads * q.rows, size = rows * seen;
  const Scalar scale = layer.scale ? 1 / std::sqrt(static_cast<Scalar>(width)) : Scalar{1};
  weights.resize(std::max(weights.size(), static_cast<std::size_t>(size)));
  const Block<Scalar> scores{weights.data(), rows, q.count, seen};
  const auto row_of = [&](int row) { return Eigen::Map<Matrix<Scalar>>(scores.row(row), 1, q.count); };
  const auto record = [&](const char* value) {
    for (int row = 0; row < rows && q.probe; ++row)
      q.probe->attention(value, row_of(row), layer.heads, q.sentence, row / q.rows, q.key_side);
  };
  score(scores);
  Eigen::Map<RowVector<Scalar>>(scores.data, size) *= scale;
  for (int row = 0; row < rows; ++row) std::fill(scores.row(row) + q.count, scores.row(row) + seen, kHidden);
  record("scores");
  for (int row = 0; row < rows; ++row)
    bias_scores<Scalar>(layer, row / q.rows, q.positions, q.count - 1, row_of(row));
  record("masked_scores");
  if (layer.activation == AttentionActivation::softmax) {
    softmax_rows(scores.data, rows, seen);
  } else {
    for (int i = 0; i < size; ++i)
      scores.data[i] = scores.data[i] <= 0 ? Scalar{0} : scores.data[i] / static_cast<Scalar>(q.count);
  }
  record("weights");
  mix(scores);
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
  past_.resize(sentence_.size());
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
                      first, layer.bias.size() > 0 ? layer.bias.data() + first : nullptr);
    } else {
      layer.forward(x, y.middleCols(first, count), first);
    }
  });
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
  const int d = model_.config.d_model, width = model_.config.head_width();
  const auto probe = look_into(value_in(AttentionKind::decoder, static_cast<int>(layer), ValueKind::whole));
  projected_.resize(rows(), 3 * d);
  apply(attention.input, panels ? &panels->self_input : nullptr, input_, projected_);
  for (int row = 0; row < rows(); ++row)
    position_queries_and_keys<Scalar>(attention, given_, length_, projected_.middleRows(row, 1));
  cache.written.emplace_back(projected_.rightCols(2 * d));
  for (int row = 0; row < rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    const auto written = [&](int step) {
      const auto place = static_cast<std::size_t>(step);
      return cache.written[place].row(past_[at][place]).data();
    };
    attend<Scalar>(
        {1, length_ + 1, sentence_[at], Side::target, probe, &given_}, attention, width, weights_,
        [&](const Block<Scalar>& scores) {
          const Scalar* const query = projected_.row(row).data();
          for (int step = 0; step <= length_; ++step)
            for (int head = 0; head < attention.heads; ++head)
              scores.row(head)[step] = dot(query + head * width, written(step) + head * width, width);
        },
        [&](const Block<Scalar>& weights) {
          Scalar* const context = context_.row(row).data();
          std::fill_n(context, d, Scalar{0});
          for (int step = 0; step <= length_; ++step)
            for (int head = 0; head < attention.heads; ++head)
              add_scaled(weights.row(head)[step], written(step) + d + head * width, context + head * width,
                         width);
        });
  }
  if (probe) probe->heads("context", context_, attention.heads);
  apply(attention.output, panels ? &panels->self_output : nullptr, context_, branch_);
  if (probe) probe->rows("output", branch_);
}

template <class Scalar>
void IncrementalDecoder<Scalar>::cross_attention(std::size_t layer, const LayerPanels* panels) {
  const Attention<Scalar>& attention = model_.decoder_layers[layer].cross_attention;
  LayerCache& cache = caches_[layer];
  const int d = model_.config.d_model, width = model_.config.head_width();
  const auto probe = look_into(value_in(AttentionKind::cross, static_cast<int>(layer), ValueKind::whole));
  projected_.resize(rows(), d);
  apply(attention.input, panels ? &panels->cross_query : nullptr, input_, projected_);
  // The hypotheses of a sentence are side by side and see the same keys and values.
  for (int row = 0, count = 0; row < rows(); row += count) {
    const int sentence = sentence_[static_cast<std::size_t>(row)], tokens = sources_.length(sentence);
    count = 1;
    while (row + count < rows() && sentence_[static_cast<std::size_t>(row + count)] == sentence) ++count;
    const Scalar* const keys = cache.memory_keys.row(static_cast<Eigen::Index>(sentence) * d).data();
    const Scalar* const values = cache.memory_values.row(sources_.begin(sentence)).data();
    const auto for_each_head = [&](const Block<Scalar>& all, auto&& work) {
      for (int head = 0; head < attention.heads; ++head) work(head * width, all.row(head * count));
    };
    attend<Scalar>(
        {count, tokens, sentence, Side::source, probe}, attention, width, weights_,
        [&](const Block<Scalar>& scores) {
          for_each_head(scores, [&](int column, Scalar* of_head) {
            product<Scalar>({projected_.row(row).data() + column, count, width, d},
                            {keys + static_cast<std::ptrdiff_t>(column) * memory_room_, width, scores.stride,
                             memory_room_},
                            {of_head, count, scores.stride, scores.stride});
          });
        },
        [&](const Block<Scalar>& weights) {
          for_each_head(weights, [&](int column, Scalar* of_head) {
            product<Scalar>({of_head, count, tokens, weights.stride}, {values + column, tokens, width, d},
                            {context_.row(row).data() + column, count, width, d});
          });
        });
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
  for (int row = 0; row < rows(); ++row) past_[static_cast<std::size_t>(row)].push_back(row);
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
  std::vector<std::vector<int>> past;
  for (const int row : from) {
    sentences.push_back(sentence_[static_cast<std::size_t>(row)]);
    past.push_back(past_[static_cast<std::size_t>(row)]);
  }
  sentence_ = std::move(sentences);
  past_ = std::move(past);
}

template class IncrementalDecoder<float>;
template class IncrementalDecoder<double>;

}  // namespace glassformer
