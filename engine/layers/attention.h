// Multi-head attention (paper, section 3.2): every query looks at all keys, weighs them by likeness, and
// takes the mean of their values under these weights; H heads do so side by side, each with k = d / H columns
// of its own.
//
//   Q = X Wq^T + bq     K = Y Wk^T + bk     V = Y Wv^T + bv
//   scores = Q K^T / sqrt(k)     weights = softmax(scores, hidden keys out)     context = dropout(weights) V
//   output = context Wo^T + bo
//
// In place of the softmax there may be a ReLU (AttentionActivation).
//
// With rotary positions (rotary.h) Q and K of self-attention are rotated before they meet, with ALiBi
// (distance_bias.h) its scores lose what the distance of two words takes.
//
// In self-attention Y is X and the three projections are one product; in cross-attention Y is the encoder's
// memory. The tokens of a batch are packed, so attention runs on a block of rows for each sentence and head.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/layers/activation.h"
#include "engine/layers/distance_bias.h"
#include "engine/layers/dropout.h"
#include "engine/layers/embedding.h"
#include "engine/layers/linear.h"
#include "engine/layers/rotary.h"
#include "engine/layers/tap.h"

namespace glassformer {

template <class Scalar>
struct Attention {
  Linear<Scalar> input;   // (3d, d): Wq, Wk, Wv stacked
  Linear<Scalar> output;  // (d, d)
  int heads = 1;          // H
  bool scale = true;      // divide by sqrt(k)
  AttentionActivation activation = AttentionActivation::softmax;
  std::shared_ptr<const Rotary<Scalar>> rotary = nullptr;  // of self-attention with rotary positions
  bool biased = false;                                     // of self-attention with ALiBi
};

// Where one sentence's queries and keys are, and its H blocks of weights (L_q, L_k).
struct AttentionSpan {
  int first_query = 0, queries = 0;
  int first_key = 0, keys = 0;
  std::size_t weights = 0;  // index of the first number of its first block
};

// Who may look at whom, for all sentences of a batch.
struct AttentionPlan {
  std::vector<AttentionSpan> spans;       // B
  std::size_t weights = 0;                // numbers in all blocks
  std::size_t longest_block = 0;          // numbers in the largest one
  std::vector<std::uint8_t> hidden_keys;  // (N_k) 1: nobody sees this key; empty: all are seen
  bool causal = false;                    // query i sees keys 0 .. i
  bool zeroes = false;                    // it does so by weights of 0 behind the softmax: rows sum to less
  bool cross = false;                     // the keys come from the memory
  Side query_side = Side::source, key_side = Side::source;
  const GivenPositions* positions = nullptr;  // of self-attention: where its tokens are
};

// All rows of a batch, or more. After the backward pass Q, K and V have made room for their gradients.
template <class Scalar>
struct AttentionSaved {
  Matrix<Scalar> projected;         // self: (N, 3d), Q K V side by side; cross: (N_q, d), Q
  Matrix<Scalar> projected_memory;  // cross alone: (N_k, 2d), K V side by side
  Matrix<Scalar> weights;   // (plan.weights, 1): blocks (L_q, L_k), a sentence's heads one after another
  Matrix<Scalar> dropped;   // the same after dropout; empty without
  Matrix<Scalar> context;   // (N_q, d), heads side by side
  Matrix<Scalar> d_scores;  // (chunks * plan.longest_block, 1) scratch of the backward pass

  void resize(const AttentionPlan& plan, int d, int query_rows, int key_rows, int chunks = 1);
};

// The part of a batch that one call computes: some sentences and the rows they own.
struct AttentionPart {
  const AttentionPlan* plan = nullptr;
  int first_sentence = 0, sentences = 0;
  int first_query = 0, queries = 0;  // rows
  int first_key = 0, keys = 0;       // rows
  int chunk = 0;                     // whose scratch
  Dropout dropout;
};

// Makes queries and keys of self-attention what the dot products read: rotated by their positions where the
// model does so, else unrotated. projected (n, 3d): Q K V of the places from `first` on in one sentence.
template <class Scalar>
void position_queries_and_keys(const Attention<Scalar>& layer, const GivenPositions& positions, int first,
                               MatrixRef<Scalar> projected) {
  if (layer.rotary) layer.rotary->rotate(positions, first, projected.leftCols(projected.cols() / 3 * 2));
}

// What a head's scores (L_q, L_k) of queries from place `first` on lose by distance, where the model has
// that.
template <class Scalar>
void bias_scores(const Attention<Scalar>& layer, int head, const GivenPositions* positions, int first,
                 Eigen::Ref<Matrix<Scalar>> scores) {
  if (!layer.biased) return;
  add_distance_bias<Scalar>(static_cast<Scalar>(distance_slope(head, layer.heads)), *positions, first,
                            scores);
}

// x (queries, d) are the part's rows; memory (keys, d) is null in self-attention. output (queries, d)
template <class Scalar, class T>
void attend(const Attention<Scalar>& layer, const AttentionPart& part, const ConstMatrixRef<Scalar>& x,
            const ConstMatrixRef<Scalar>* memory, AttentionSaved<Scalar>& saved, MatrixRef<Scalar> output,
            const Probe<T>& probe);

// d_output (queries, d) -> d_x (queries, d); what flows back to the memory is added to d_memory (keys, d),
// null in self-attention.
template <class Scalar, class T>
void attend_backward(const Attention<Scalar>& layer, const AttentionPart& part, MatrixRef<Scalar> d_output,
                     AttentionSaved<Scalar>& saved, MatrixRef<Scalar> d_x, MatrixRef<Scalar>* d_memory,
                     const Probe<T>& probe);

}  // namespace glassformer
