// The backward pass of a recurrent model: from the logits through the decoder's steps, last to first, into
// the encoder's. The gradients of the weights are sums over all words and are taken together at the end.
#include <algorithm>

#include "engine/layers/embedding.h"
#include "engine/math/worker_pool.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {
namespace {

constexpr int kGradientRows = 128;  // of one weight gradient that one thread computes at a time

template <class Scalar>
void prepare_backward_side(const std::vector<Gru<Scalar>>& layers, RecurrentSide<Scalar>& side) {
  make_room(side.d, side.embedded.rows(), side.embedded.cols());
  side.panels.clear();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    side.layers[i].make_room_for_backward();
    side.panels.push_back(backward_panels(layers[i]));
  }
}

// ---- the pass of one chunk

// From the last layer to the first; what is carried beyond the first step is in d_first of each.
template <class Scalar>
void read_side_backward(const std::vector<Gru<Scalar>>& layers, const Steps& steps, int first_place,
                        RecurrentSide<Scalar>& side) {
  for (std::size_t i = layers.size(); i-- > 0;)
    gru_backward(layers[i], side.panels[i], steps, side.d, first_place, side.layers[i], &side.d);
}

template <class Scalar>
void attend_chunk_backward(const RecurrentModel<Scalar>& model, const RecurrentChunk& chunk,
                           RecurrentSaved<Scalar>& saved) {
  const int d = model.config.width;
  SourceAttentionEnds<Scalar> ends{saved.joined.leftCols(d), saved.memory, saved.d_joined.rightCols(d),
                                   saved.d_joined.leftCols(d), saved.d_memory};
  for (int i = chunk.first_sentence; i < chunk.first_sentence + chunk.sentences; ++i) {
    attend_source_backward(model.attention, ends, saved.attention.sentences[static_cast<std::size_t>(i)],
                           saved.attention);
  }
  project_source_backward(model.attention, ends, chunk.all_rows(), saved.attention);
}

template <class Scalar>
void backward_chunk(const RecurrentModel<Scalar>& model, const RecurrentChunk& chunk,
                    RecurrentSaved<Scalar>& saved) {
  const int d = model.config.width;
  const auto of_sentences = [&](auto& matrix) {
    return matrix.middleRows(chunk.first_sentence, chunk.sentences);
  };

  // Output layer and attention.
  model.output_projection.backward(saved.logits.middleRows(chunk.first_target, chunk.target_rows),
                                   saved.d_joined.middleRows(chunk.first_target, chunk.target_rows));
  saved.d_memory.middleRows(chunk.first_source, chunk.source_rows).setZero();
  if (model.config.attends()) attend_chunk_backward(model, chunk, saved);

  // Decoder: nobody reads its last states.
  chunk.target_steps.to_steps<Scalar>(saved.d_joined.leftCols(d), saved.target.d);
  for (GruSaved<Scalar>& layer : saved.target.layers) of_sentences(layer.d_last).setZero();
  read_side_backward(model.decoder, chunk.target_steps, chunk.first_sentence, saved.target);

  // Encoder: the decoder began with its last states.
  chunk.source_steps.to_steps<Scalar>(saved.d_memory, saved.source.d);
  for (std::size_t i = 0; i < model.encoder.size(); ++i) {
    for (int sentence = chunk.first_sentence; sentence < chunk.first_sentence + chunk.sentences; ++sentence) {
      saved.source.layers[i].d_last.row(chunk.first_sentence + chunk.source_steps.place(sentence)) =
          saved.target.layers[i].d_first.row(chunk.first_sentence + chunk.target_steps.place(sentence));
    }
  }
  read_side_backward(model.encoder, chunk.source_steps, chunk.first_sentence, saved.source);
}

// ---- weights

// Cuts the weight gradients into tiles.
template <class Scalar>
class WeightTiles {
 public:
  explicit WeightTiles(std::vector<RecurrentGradientTile<Scalar>>& tiles) : tiles_(tiles) { tiles_.clear(); }

  // One product of the model once more: x (N, in or wider), d_y (N, out).
  void add(const Matrix<Scalar>& x, const Matrix<Scalar>& d_y, int words, Matrix<Scalar>& d_weight,
           RowVector<Scalar>* d_bias) {
    const auto in = static_cast<int>(d_weight.cols()), out = static_cast<int>(d_weight.rows());
    for (int row = 0; row < out; row += kGradientRows) {
      Scalar* bias = d_bias != nullptr ? d_bias->data() + row : nullptr;
      tiles_.push_back(
          {&x, &d_y, words, in, row, std::min(kGradientRows, out - row), d_weight.row(row).data(), bias});
    }
  }
  void add(const RecurrentSide<Scalar>& side, int words, std::vector<Gru<Scalar>>& gradient) {
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const GruSaved<Scalar>& saved = side.layers[i];
      add(side.input(i), saved.d_input, words, gradient[i].input_weight, &gradient[i].input_bias);
      add(saved.previous, saved.d_state, words, gradient[i].state_weight, &gradient[i].state_bias);
    }
  }

 private:
  std::vector<RecurrentGradientTile<Scalar>>& tiles_;
};

template <class Scalar>
void list_tiles(RecurrentSaved<Scalar>& saved, RecurrentModel<Scalar>& gradient) {
  const int sources = saved.words.source.tokens(), targets = saved.words.target_in.tokens();
  WeightTiles<Scalar> tiles(saved.gradient_tiles);
  tiles.add(saved.joined, saved.logits, targets, gradient.output_projection.weight,
            &gradient.output_projection.bias);
  tiles.add(saved.source, sources, gradient.encoder);
  tiles.add(saved.target, targets, gradient.decoder);
  if (gradient.attention.kind != RecurrentAttention::additive) return;
  // The queries are the left half of what is joined.
  tiles.add(saved.joined, saved.attention.d_query, targets, gradient.attention.query_weight, nullptr);
  tiles.add(saved.memory, saved.attention.d_key, sources, gradient.attention.key_weight, nullptr);
}

template <class Scalar>
void compute_tile(const RecurrentGradientTile<Scalar>& tile, bool add) {
  Eigen::Map<Matrix<Scalar>> d_weight(tile.d_weight, tile.rows, tile.in);
  linear_gradient<Scalar>(tile.x->topLeftCorner(tile.words, tile.in),
                          tile.d_y->block(0, tile.column, tile.words, tile.rows), d_weight, tile.d_bias, add);
}

// Each word's row of a table gets what all of its places hand back.
template <class Scalar>
void add_words(const RecurrentSaved<Scalar>& saved, bool source, Matrix<Scalar>& gradient, bool add) {
  const PackedIds& ids = source ? saved.words.source : saved.words.target_in;
  const Matrix<Scalar>& d = source ? saved.source.d : saved.target.d;
  if (!add) gradient.setZero();
  for (const RecurrentChunk& chunk : saved.chunks) {
    const Steps& steps = source ? chunk.source_steps : chunk.target_steps;
    for (int row = steps.first_row(); row < steps.first_row() + steps.rows(); ++row)
      gradient.row(ids.id(steps.token(row))) += d.row(row);
  }
}

template <class Scalar>
void add_score_weight(const RecurrentSaved<Scalar>& saved, RowVector<Scalar>& gradient, bool add) {
  if (!add) gradient.setZero();
  for (int i = 0; i < saved.words.sentences(); ++i) gradient += saved.attention.d_score_weight.row(i);
}

}  // namespace

template <class Scalar>
void RecurrentModel<Scalar>::backward(RecurrentSaved<Scalar>& saved, RecurrentModel& gradient,
                                      bool add) const {
  prepare_backward_side(encoder, saved.source);
  prepare_backward_side(decoder, saved.target);
  make_room(saved.d_memory, saved.memory.rows(), saved.memory.cols());
  make_room(saved.d_joined, saved.joined.rows(), saved.joined.cols());
  saved.attention.make_room_for_backward();
  run_on(saved.pool, static_cast<int>(saved.chunks.size()),
         [&](int chunk) { backward_chunk(*this, saved.chunks[static_cast<std::size_t>(chunk)], saved); });

  list_tiles(saved, gradient);
  const auto tiles = static_cast<int>(saved.gradient_tiles.size());
  run_on(saved.pool, tiles + 2, [&](int piece) {
    if (piece < tiles) {
      compute_tile(saved.gradient_tiles[static_cast<std::size_t>(piece)], add);
    } else if (piece == tiles) {
      add_words(saved, true, gradient.source_embedding, add);
    } else {
      add_words(saved, false, gradient.target_embedding, add);
      if (attention.kind == RecurrentAttention::additive)
        add_score_weight(saved, gradient.attention.score_weight, add);
    }
  });
}

template void RecurrentModel<float>::backward(RecurrentSaved<float>&, RecurrentModel&, bool) const;
template void RecurrentModel<double>::backward(RecurrentSaved<double>&, RecurrentModel&, bool) const;

}  // namespace glassformer
