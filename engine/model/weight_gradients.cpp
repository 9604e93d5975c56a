// Gradients of the weights: sums over all tokens of a batch, shared out by the rows of the result.
#include <algorithm>
#include <cmath>

#include "engine/layers/embedding.h"
#include "engine/model/pass.h"

namespace glassformer {
namespace {

constexpr int kTileRows = 256;    // rows of one weight gradient that one thread computes at a time
constexpr int kTableRows = 1024;  // ids whose embedding gradient one thread adds up at a time

// One product of the model once more: what went in, and the gradient of what came out.
template <class Scalar>
struct PastProduct {
  const Matrix<Scalar>& x;    // (N, in)
  const Matrix<Scalar>& d_y;  // (N, out)
  Side side;                  // whose tokens the rows are
};

// Cuts the weight gradients into tiles.
template <class Scalar>
class Tiles {
 public:
  Tiles(const Batch& batch, std::vector<LinearGradientTile<Scalar>>& tiles) : batch_(batch), tiles_(tiles) {
    tiles_.clear();
  }

  // For the rows of the gradient from `first` on.
  void add(const PastProduct<Scalar>& product, Linear<Scalar>& gradient, Eigen::Index first = 0) {
    add(product, gradient.weight, gradient.bias, first);
  }

  void add(const PastProduct<Scalar>& product, Matrix<Scalar>& d_weight, RowVector<Scalar>& d_bias,
           Eigen::Index first) {
    const PackedIds& ids = product.side == Side::source ? batch_.source : batch_.target_in;
    const Eigen::Index out = product.d_y.cols();
    for (Eigen::Index row = 0; row < out; row += kTileRows) {
      const Eigen::Index rows = std::min<Eigen::Index>(kTileRows, out - row);
      Scalar* bias = d_bias.size() > 0 ? d_bias.data() + first + row : nullptr;
      tiles_.push_back(
          {&product.x, &product.d_y, ids.tokens(), row, rows, d_weight.row(first + row).data(), bias});
    }
  }

 private:
  const Batch& batch_;
  std::vector<LinearGradientTile<Scalar>>& tiles_;
};

template <class Scalar>
void compute(const LinearGradientTile<Scalar>& tile, bool add) {
  Eigen::Map<Matrix<Scalar>> d_weight(tile.d_weight, tile.rows, tile.x->cols());
  linear_gradient<Scalar>(tile.x->topRows(tile.tokens),
                          tile.d_y->block(0, tile.column, tile.tokens, tile.rows), d_weight, tile.d_bias,
                          add);
}

template <class Scalar>
void list_products(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                   Transformer<Scalar>& gradient) {
  const bool pre_norm = model.config.norm == NormPlace::pre;
  const int d = model.config.d_model;
  Tiles<Scalar> tiles(batch, saved.gradient_tiles);
  Matrix<Scalar>& d_projection =
      model.shares_output() ? gradient.target_embedding : gradient.output_projection.weight;
  tiles.add({*saved.decoder_output, saved.logits, Side::target}, d_projection,
            gradient.output_projection.bias, 0);

  Side side = Side::source;
  const auto list_feed_forward = [&](const Matrix<Scalar>& x, FeedForwardSaved<Scalar>& s,
                                     AddNormSaved<Scalar>& after, FeedForward<Scalar>& to) {
    tiles.add({sublayer_input(pre_norm, x, after), s.d_hidden, side}, to.linear1);
    if (to.gated()) tiles.add({sublayer_input(pre_norm, x, after), s.d_gate, side}, to.linear_gate);
    tiles.add({s.hidden, branch(pre_norm, after), side}, to.linear2);
  };
  const auto list_attention = [&](const Matrix<Scalar>& x, const Matrix<Scalar>* memory,
                                  AttentionSaved<Scalar>& s, AddNormSaved<Scalar>& after,
                                  Attention<Scalar>& to) {
    tiles.add({sublayer_input(pre_norm, x, after), s.projected, side}, to.input);
    if (memory != nullptr) tiles.add({*memory, s.projected_memory, Side::source}, to.input, d);
    tiles.add({s.context, branch(pre_norm, after), side}, to.output);
  };

  const Matrix<Scalar>* x = &saved.source.input;
  for (std::size_t i = 0; i < saved.encoder_layers.size(); ++i) {
    EncoderLayerSaved<Scalar>& s = saved.encoder_layers[i];
    EncoderLayer<Scalar>& to = gradient.encoder_layers[i];
    list_attention(*x, nullptr, s.self_attention, s.add_norm1, to.self_attention);
    list_feed_forward(result(pre_norm, s.add_norm1), s.feed_forward, s.add_norm2, to.feed_forward);
    x = &result(pre_norm, s.add_norm2);
  }
  side = Side::target;
  x = &saved.target.input;
  for (std::size_t i = 0; i < saved.decoder_layers.size(); ++i) {
    DecoderLayerSaved<Scalar>& s = saved.decoder_layers[i];
    DecoderLayer<Scalar>& to = gradient.decoder_layers[i];
    list_attention(*x, nullptr, s.self_attention, s.add_norm1, to.self_attention);
    list_attention(result(pre_norm, s.add_norm1), saved.memory, s.cross_attention, s.add_norm2,
                   to.cross_attention);
    list_feed_forward(result(pre_norm, s.add_norm2), s.feed_forward, s.add_norm3, to.feed_forward);
    x = &result(pre_norm, s.add_norm3);
  }
}

template <class Scalar>
void add_norms(const Transformer<Scalar>& model, const Saved<Scalar>& saved, Transformer<Scalar>& gradient,
               bool add) {
  const int chunks = static_cast<int>(saved.chunks.size());
  const auto sum = [&](const LayerNormSaved<Scalar>& norm, LayerNorm<Scalar>& to) {
    if (!add) to.resize(model.config.d_model, model.config.norm_kind);
    add_layer_norm_gradient(norm, chunks, to);
  };
  for (std::size_t i = 0; i < saved.encoder_layers.size(); ++i) {
    const EncoderLayerSaved<Scalar>& s = saved.encoder_layers[i];
    sum(s.add_norm1.norm, gradient.encoder_layers[i].norm1);
    sum(s.add_norm2.norm, gradient.encoder_layers[i].norm2);
  }
  for (std::size_t i = 0; i < saved.decoder_layers.size(); ++i) {
    const DecoderLayerSaved<Scalar>& s = saved.decoder_layers[i];
    sum(s.add_norm1.norm, gradient.decoder_layers[i].norm1);
    sum(s.add_norm2.norm, gradient.decoder_layers[i].norm2);
    sum(s.add_norm3.norm, gradient.decoder_layers[i].norm3);
  }
  if (model.config.final_norm) {
    sum(saved.source.final_norm, gradient.encoder_norm);
    sum(saved.target.final_norm, gradient.decoder_norm);
  }
  if (model.config.embedding_norm) {
    sum(saved.source.norm, gradient.source_embedding_norm);
    sum(saved.target.norm, gradient.target_embedding_norm);
  }
}

// Each position's row gets what every sentence's token with that position hands back.
template <class Scalar>
void add_positions(const PackedIds& ids, const GivenPositions& given, const Matrix<Scalar>& d,
                   Matrix<Scalar>& gradient) {
  for (int i = 0; i < ids.sentences() && !given.none; ++i) {
    for (int place = 0; place < ids.length(i); ++place)
      gradient.row(given.at(place)) += d.row(ids.begin(i) + place);
  }
}

// The rows of a table for the ids from `first` on become 0.
template <class Scalar>
void clear_words(Matrix<Scalar>& table, int first) {
  const Eigen::Index rows = std::min<Eigen::Index>(kTableRows, table.rows() - first);
  if (rows > 0) table.middleRows(first, rows).setZero();
}

template <class Scalar>
void add_words(const Transformer<Scalar>& model, const Batch& batch, const Saved<Scalar>& saved, int first,
               Transformer<Scalar>& gradient) {
  const double scale =
      model.config.scale_embeddings ? std::sqrt(static_cast<double>(model.config.d_model)) : 1.0;
  Matrix<Scalar>& source_table = model.shares_all() ? gradient.target_embedding : gradient.source_embedding;
  add_embedding_gradient<Scalar>(batch.source.ids(), saved.source.d, scale, first, first + kTableRows,
                                 source_table);
  add_embedding_gradient<Scalar>(batch.target_in.ids(), saved.target.d, scale, first, first + kTableRows,
                                 gradient.target_embedding);
}

}  // namespace

template <class Scalar>
void add_weight_gradients(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                          Transformer<Scalar>& gradient, bool add) {
  list_products(model, batch, saved, gradient);
  run_on(saved.pool, static_cast<int>(saved.gradient_tiles.size()),
         [&](int tile) { compute(saved.gradient_tiles[static_cast<std::size_t>(tile)], add); });

  // After the products: a shared table gets both.
  const int vocabulary = std::max(model.config.source_vocab, model.config.target_vocab);
  const int table_tiles = (vocabulary + kTableRows - 1) / kTableRows;
  run_on(saved.pool, table_tiles + 1, [&](int tile) {
    if (tile < table_tiles) {
      if (!add) clear_words(gradient.source_embedding, tile * kTableRows);
      if (!add && !model.shares_output()) clear_words(gradient.target_embedding, tile * kTableRows);
      add_words(model, batch, saved, tile * kTableRows, gradient);
      return;
    }
    add_norms(model, saved, gradient, add);
    if (model.config.learns_positions()) {
      if (!add) gradient.source_positions.setZero();
      if (!add) gradient.target_positions.setZero();
      add_positions(batch.source, batch.rules.source_positions, saved.source.d, gradient.source_positions);
      add_positions(batch.target_in, batch.rules.target_positions, saved.target.d, gradient.target_positions);
    }
  });
}

template void add_weight_gradients(const Transformer<float>&, const Batch&, Saved<float>&,
                                   Transformer<float>&, bool);
template void add_weight_gradients(const Transformer<double>&, const Batch&, Saved<double>&,
                                   Transformer<double>&, bool);

}  // namespace glassformer
