// The memory of one pass over a batch: what the forward pass leaves for the backward pass, typed and named,
// reused from step to step. Whoever looks for the value of a block after a pass finds it here; readers who
// want names use a Trace. A matrix may have more rows than the batch: memory once taken is kept for the next.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/layers/add_norm.h"
#include "engine/layers/attention.h"
#include "engine/layers/cross_entropy.h"
#include "engine/layers/feed_forward.h"
#include "engine/model/batch.h"

namespace glassformer {

class WorkerPool;

// Sentences that go through the model together on one thread. Cut by the batch alone, never by the number of
// threads.
struct Chunk {
  int first_sentence = 0, sentences = 0;
  int first_source = 0, source_rows = 0;
  int first_target = 0, target_rows = 0;
};

template <class Scalar>
struct EncoderLayerSaved {
  AttentionSaved<Scalar> self_attention;
  AddNormSaved<Scalar> add_norm1;
  FeedForwardSaved<Scalar> feed_forward;
  AddNormSaved<Scalar> add_norm2;
};

template <class Scalar>
struct DecoderLayerSaved {
  AttentionSaved<Scalar> self_attention;
  AddNormSaved<Scalar> add_norm1;
  AttentionSaved<Scalar> cross_attention;
  AddNormSaved<Scalar> add_norm2;
  FeedForwardSaved<Scalar> feed_forward;
  AddNormSaved<Scalar> add_norm3;
};

// One side of the model: source with its encoder, target with its decoder.
template <class Scalar>
struct SideSaved {
  Matrix<Scalar> embedded;      // (N, d) embeddings + positions; the input when there is no embedding norm
  LayerNormSaved<Scalar> norm;  // embedding norm
  Matrix<Scalar> input;         // (N, d) what the first layer reads, after dropout
  LayerNormSaved<Scalar> final_norm;
  Matrix<Scalar> positions;  // (longest, d) as a tap left them; empty without one
  Matrix<Scalar> d;          // (N, d) gradient of the residual stream; in the end of the embedded tokens
  Matrix<Scalar> d_branch;   // (N, d) scratch: what comes back through a sub-layer
};

// Some rows of one weight gradient: sums over all tokens of the batch.
template <class Scalar>
struct LinearGradientTile {
  const Matrix<Scalar>* x = nullptr;    // (N, in)
  const Matrix<Scalar>* d_y = nullptr;  // (N, ...): `rows` columns from `column` on belong to this tile
  Eigen::Index tokens = 0;              // N
  Eigen::Index column = 0, rows = 0;
  Scalar* d_weight = nullptr;  // (rows, in)
  Scalar* d_bias = nullptr;    // (rows); null: none
};

template <class Scalar>
struct Saved {
  // Settings of the next pass.
  WorkerPool* pool = nullptr;     // null: one thread
  double dropout = 0;             // 0: none, as in evaluation; training passes the configuration's
  double attention_dropout = -1;  // of the weights of attention; below 0: as dropout
  std::uint64_t seed = 1;         // of the dropout
  long step = 0;                  // each training step drops others
  int part = 0;                   // as does each part of a step's batch

  // Results.
  Matrix<Scalar> logits;  // (N_t, V_t); after loss() with a gradient: d loss / d logits

  // Where things are in this batch.
  std::vector<Chunk> chunks;
  AttentionPlan encoder_plan, decoder_plan, cross_plan;
  Matrix<Scalar> positions;      // (longest, d) sinusoids
  std::vector<LossSums> losses;  // of each chunk

  // Values of the layers.
  SideSaved<Scalar> source, target;
  std::vector<EncoderLayerSaved<Scalar>> encoder_layers;  // one for all after encode() and decode_on()
  std::vector<DecoderLayerSaved<Scalar>> decoder_layers;
  const Matrix<Scalar>* memory = nullptr;          // (N_s, d) the encoder's result, among the values above
  const Matrix<Scalar>* decoder_output = nullptr;  // (N_t, d)

  std::vector<LinearGradientTile<Scalar>> gradient_tiles;
  Batch batch_part;  // of a batch that is too large for one pass
};

}  // namespace glassformer
