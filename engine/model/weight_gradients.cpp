// Gradients of the weights: sums over all tokens of a batch, shared out by the rows of the result.
#include <algorithm>
#include <cmath>

#include "engine/layers/embedding.h"
#include "engine/model/pass.h"

namespace glassformer {
namespace {

constexpr int kTileRows = 128;    // rows of one weight gradient that one thread computes at a time
constexpr int kTableRows = 1024;  // ids whose embedding gradient one thread adds up at a time

// Cuts the weight gradient of one layer into tiles.
template <class Scalar>
class Tiles {
 public:
  explicit Tiles(std::vector<LinearGradientTile<Scalar>>& tiles) : tiles_(tiles) { tiles_.clear(); }

  // x (N, in), d_y (N, out) -> rows [first, first + out) of the gradient.
  void add(const Matrix<Scalar>& x, const Matrix<Scalar>& d_y, Linear<Scalar>& gradient,
           Eigen::Index first = 0) {
    add(x, d_y, gradient.weight, gradient.bias, first);
  }

  void add(const Matrix<Scalar>& x, const Matrix<Scalar>& d_y, Matrix<Scalar>& d_weight,
           RowVector<Scalar>& d_bias, Eigen::Index first) {
    for (Eigen::Index row = 0; row < d_y.cols(); row += kTileRows) {
      const Eigen::Index rows = std::min<Eigen::Index>(kTileRows, d_y.cols() - row);
      Scalar* bias = d_bias.size() > 0 ? d_bias.data() + first + row : nullptr;
      tiles_.push_back({&x, &d_y, row, rows, d_weight.row(first + row).data(), bias});
    }
  }

 private:
  std::vector<LinearGradientTile<Scalar>>& tiles_;
};

template <class Scalar>
void compute(const LinearGradientTile<Scalar>& tile) {
  Eigen::Map<Matrix<Scalar>> d_weight(tile.d_weight, tile.rows, tile.x->cols());
  add_linear_gradient<Scalar>(*tile.x, tile.d_y->middleCols(tile.column, tile.rows), d_weight, tile.d_bias);
}

// Every product of the model once more: what went in, and the gradient of what came out.
template <class Scalar>
void list_products(const Transformer<Scalar>& model, Saved<Scalar>& saved, Transformer<Scalar>& gradient) {
  const bool pre_norm = model.config.norm == NormPlace::pre;
  const int d = model.config.d_model;
  Tiles<Scalar> tiles(saved.gradient_tiles);
  Matrix<Scalar>& d_projection =
      model.shares_output() ? gradient.target_embedding : gradient.output_projection.weight;
  tiles.add(*saved.decoder_output, saved.logits, d_projection, gradient.output_projection.bias, 0);

  const auto list_feed_forward = [&](const Matrix<Scalar>& x, FeedForwardSaved<Scalar>& s,
                                     AddNormSaved<Scalar>& after, FeedForward<Scalar>& to) {
    tiles.add(sublayer_input(pre_norm, x, after), s.d_hidden, to.linear1);
    tiles.add(s.hidden, branch(pre_norm, after), to.linear2);
  };
  const auto list_attention = [&](const Matrix<Scalar>& x, const Matrix<Scalar>* memory,
                                  AttentionSaved<Scalar>& s, AddNormSaved<Scalar>& after,
                                  Attention<Scalar>& to) {
    tiles.add(sublayer_input(pre_norm, x, after), s.projected, to.input);
    if (memory != nullptr) tiles.add(*memory, s.projected_memory, to.input, d);
    tiles.add(s.context, branch(pre_norm, after), to.output);
  };

  const Matrix<Scalar>* x = &saved.source.input;
  for (std::size_t i = 0; i < saved.encoder_layers.size(); ++i) {
    EncoderLayerSaved<Scalar>& s = saved.encoder_layers[i];
    EncoderLayer<Scalar>& to = gradient.encoder_layers[i];
    list_attention(*x, nullptr, s.self_attention, s.add_norm1, to.self_attention);
    list_feed_forward(result(pre_norm, s.add_norm1), s.feed_forward, s.add_norm2, to.feed_forward);
    x = &result(pre_norm, s.add_norm2);
  }
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
void add_norms(const Transformer<Scalar>& model, const Saved<Scalar>& saved, Transformer<Scalar>& gradient) {
  for (std::size_t i = 0; i < saved.encoder_layers.size(); ++i) {
    const EncoderLayerSaved<Scalar>& s = saved.encoder_layers[i];
    add_layer_norm_gradient(s.add_norm1.norm, gradient.encoder_layers[i].norm1);
    add_layer_norm_gradient(s.add_norm2.norm, gradient.encoder_layers[i].norm2);
  }
  for (std::size_t i = 0; i < saved.decoder_layers.size(); ++i) {
    const DecoderLayerSaved<Scalar>& s = saved.decoder_layers[i];
    add_layer_norm_gradient(s.add_norm1.norm, gradient.decoder_layers[i].norm1);
    add_layer_norm_gradient(s.add_norm2.norm, gradient.decoder_layers[i].norm2);
    add_layer_norm_gradient(s.add_norm3.norm, gradient.decoder_layers[i].norm3);
  }
  if (model.config.final_norm) {
    add_layer_norm_gradient(saved.source.final_norm, gradient.encoder_norm);
    add_layer_norm_gradient(saved.target.final_norm, gradient.decoder_norm);
  }
  if (model.config.embedding_norm) {
    add_layer_norm_gradient(saved.source.norm, gradient.source_embedding_norm);
    add_layer_norm_gradient(saved.target.norm, gradient.target_embedding_norm);
  }
}

// Each place's row gets what every sentence's token in that place hands back.
template <class Scalar>
void add_positions(const PackedIds& ids, const Matrix<Scalar>& d, Matrix<Scalar>& gradient) {
  for (int i = 0; i < ids.sentences(); ++i) {
    gradient.topRows(ids.length(i)) += d.middleRows(ids.begin(i), ids.length(i));
  }
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
  if (!add) gradient.set_zero();
  list_products(model, saved, gradient);
  run_on(saved.pool, static_cast<int>(saved.gradient_tiles.size()),
         [&](int tile) { compute(saved.gradient_tiles[static_cast<std::size_t>(tile)]); });

  // After the products: a shared table gets both.
  const int vocabulary = std::max(model.config.source_vocab, model.config.target_vocab);
  const int table_tiles = (vocabulary + kTableRows - 1) / kTableRows;
  run_on(saved.pool, table_tiles + 1, [&](int tile) {
    if (tile < table_tiles) {
      add_words(model, batch, saved, tile * kTableRows, gradient);
      return;
    }
    add_norms(model, saved, gradient);
    if (model.config.positions == PositionKind::learned) {
      add_positions(batch.source, saved.source.d, gradient.source_positions);
      add_positions(batch.target_in, saved.target.d, gradient.target_positions);
    }
  });
}

template void add_weight_gradients(const Transformer<float>&, const Batch&, Saved<float>&,
                                   Transformer<float>&, bool);
template void add_weight_gradients(const Transformer<double>&, const Batch&, Saved<double>&,
                                   Transformer<double>&, bool);

}  // namespace glassformer
