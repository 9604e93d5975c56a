// The memory of one pass of a recurrent model: what forward leaves for backward, reused from step to step.
// Rows of a matrix are words of the batch in its own order, or, where it says "by step", in that of Steps. A
// matrix may have more rows than the batch.
#pragma once

#include <vector>

#include "engine/model/saved.h"
#include "engine/recurrent/gru.h"
#include "engine/recurrent/source_attention.h"

namespace glassformer {

// Sentences that go through the model together on one thread, and the order in which they are read.
struct RecurrentChunk : Chunk {
  Steps source_steps, target_steps;

  // All of its words, as if they were of one sentence.
  SentenceRows all_rows() const {
    return {first_sentence, first_target, target_rows, first_source, source_rows, 0};
  }
};

// One side of the model: source with its encoder, target with its decoder.
template <class Scalar>
struct RecurrentSide {
  Matrix<Scalar> embedded;  // (N, d) by step
  std::vector<GruSaved<Scalar>> layers;
  Matrix<Scalar> d;  // (N, d) by step: of the states of a layer, in the end of the embedded words

  std::vector<GruPanels<Scalar>> panels;  // of the layers, for the pass that is under way

  // What a layer reads. (N, d) by step
  const Matrix<Scalar>& input(std::size_t layer) const {
    return layer == 0 ? embedded : layers[layer - 1].output;
  }
};

// Some rows of one weight gradient: sums over all words of the batch.
template <class Scalar>
struct RecurrentGradientTile {
  const Matrix<Scalar>* x = nullptr;    // (N, in or wider) what went in
  const Matrix<Scalar>* d_y = nullptr;  // (N, out) of what came out: `rows` columns from `column` on
  int words = 0;                        // N
  int in = 0, column = 0, rows = 0;
  Scalar* d_weight = nullptr;  // (rows, in)
  Scalar* d_bias = nullptr;    // (rows); null: none
};

template <class Scalar>
struct RecurrentSaved {
  WorkerPool* pool = nullptr;  // null: one thread

  // Results.
  Matrix<Scalar> logits;  // (N_t, V_t); after loss() with a gradient: d loss / d logits
  Batch words;            // the batch less the padding at its ends: its words are the rows of all matrices

  std::vector<RecurrentChunk> chunks;
  std::vector<LossSums> losses;  // of each chunk

  RecurrentSide<Scalar> source, target;
  Matrix<Scalar> memory;  // (N_s, d) states of the encoder's last layer
  Matrix<Scalar> joined;  // (N_t, d) states of the decoder's last layer; (N_t, 2d) with the context beside
  SourceAttentionSaved<Scalar> attention;

  Matrix<Scalar> d_memory;  // like memory
  Matrix<Scalar> d_joined;  // like joined
  std::vector<RecurrentGradientTile<Scalar>> gradient_tiles;
  Batch batch_part;  // of a batch that goes through the model in parts
};

}  // namespace glassformer
