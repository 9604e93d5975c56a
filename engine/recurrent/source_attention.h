// A decoder that looks back at the source: each of its states scores the encoder's states, and the weighted
// mean of these is the context.
//
//   additive  e_ij = v^T tanh(W q_i + U k_j)     Bahdanau et al. 2015, appendix A.1.2
//   dot       e_ij = q_i k_j^T                   Luong et al. 2015, section 3.1; not scaled
//
//   a_i = softmax(e_i)     c_i = sum over j of a_ij k_j
//
// The states are keys and values in one. Scores do not depend on earlier contexts, so that all steps of a
// sentence are looked at together.
#pragma once

#include <vector>

#include "engine/math/matrix.h"
#include "engine/model/batch.h"
#include "engine/recurrent/config.h"

namespace glassformer {

template <class Scalar>
struct SourceAttention {
  RecurrentAttention kind = RecurrentAttention::none;
  Matrix<Scalar> query_weight;     // W (d, d), additive only
  Matrix<Scalar> key_weight;       // U (d, d), additive only
  RowVector<Scalar> score_weight;  // v (d), additive only

  void resize(int d);  // all zero; of its kind
};

// The words of one sentence, as rows of the two matrices, and where its weights begin.
struct SentenceRows {
  int sentence = 0;
  int first_query = 0, queries = 0;  // decoder steps
  int first_key = 0, keys = 0;       // source words
  std::size_t first_weight = 0;      // of SourceAttentionSaved::weights
};

template <class Scalar>
struct SourceAttentionSaved {
  std::vector<SentenceRows> sentences;
  Matrix<Scalar> query;         // (N_t, d) W q, additive only
  Matrix<Scalar> key;           // (N_s, d) U k, additive only
  std::vector<Scalar> weights;  // of each sentence (n_t, n_s); after backward the gradient of the scores

  Matrix<Scalar> d_query, d_key;  // like query and key
  Matrix<Scalar> d_score_weight;  // (B, d) what each sentence adds to that of v

  // Where the weights of the sentences are; memory for them and for the projections.
  void arrange(const Batch& batch, const SourceAttention<Scalar>& attention, int d);
  void make_room_for_backward();
  MatrixRef<Scalar> weights_of(const SentenceRows& rows);  // (n_t, n_s)
};

// The projected keys of some sentences: W and U are one product for all of their words.
template <class Scalar>
void project_keys(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& memory,
                  const SentenceRows& all, SourceAttentionSaved<Scalar>& saved);
template <class Scalar>
void project_queries(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& state,
                     const SentenceRows& all, SourceAttentionSaved<Scalar>& saved);

// One sentence: state (N_t, d), memory (N_s, d) -> context (N_t, d) and the weights. Without a source word
// the context is 0.
template <class Scalar>
void attend_source(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& state,
                   const ConstMatrixRef<Scalar>& memory, const SentenceRows& rows,
                   SourceAttentionSaved<Scalar>& saved, MatrixRef<Scalar> context);

// What an attention reads, and what it hands back: both are added to.
template <class Scalar>
struct SourceAttentionEnds {
  ConstMatrixRef<Scalar> state, memory, d_context;
  MatrixRef<Scalar> d_state, d_memory;
};
// One sentence; d_query, d_key and d_score_weight of its rows are filled.
template <class Scalar>
void attend_source_backward(const SourceAttention<Scalar>& attention, SourceAttentionEnds<Scalar>& ends,
                            const SentenceRows& rows, SourceAttentionSaved<Scalar>& saved);
// What comes back through W and U, for all words of some sentences.
template <class Scalar>
void project_source_backward(const SourceAttention<Scalar>& attention, SourceAttentionEnds<Scalar>& ends,
                             const SentenceRows& all, SourceAttentionSaved<Scalar>& saved);

}  // namespace glassformer
