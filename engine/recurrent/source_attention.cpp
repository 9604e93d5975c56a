#include "engine/recurrent/source_attention.h"

#include "engine/layers/linear.h"
#include "engine/math/product.h"
#include "engine/math/softmax.h"
#include "engine/math/work_profile.h"
#include "engine/recurrent/gru_cell.h"

namespace glassformer {
namespace {

template <class Scalar>
Factor<Scalar> stretch(const ConstMatrixRef<Scalar>& matrix, int first, int rows) {
  return {matrix.data() + first * matrix.outerStride(), rows, static_cast<int>(matrix.cols()),
          matrix.outerStride()};
}

template <class Scalar>
Block<Scalar> stretch_to(MatrixRef<Scalar> matrix, int first, int rows) {
  return {matrix.data() + first * matrix.outerStride(), rows, static_cast<int>(matrix.cols()),
          static_cast<int>(matrix.outerStride())};
}

// f(i, j, t) with t = tanh(W q_i + U k_j), for every pair of words.
template <class Scalar, class Function>
void for_each_tanh(const SentenceRows& rows, SourceAttentionSaved<Scalar>& saved, Function&& f) {
  const auto d = static_cast<int>(saved.query.cols());
  RowVector<Scalar> t(d);
  for (int i = 0; i < rows.queries; ++i) {
    for (int j = 0; j < rows.keys; ++j) {
      tanh_of_sum<Scalar>(saved.query.row(rows.first_query + i).data(),
                          saved.key.row(rows.first_key + j).data(), t.data(), d);
      f(i, j, t);
    }
  }
}

template <class Scalar>
void score(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& state,
           const ConstMatrixRef<Scalar>& memory, const SentenceRows& rows,
           SourceAttentionSaved<Scalar>& saved) {
  MatrixRef<Scalar> scores = saved.weights_of(rows);  // (n_t, n_s)
  if (attention.kind == RecurrentAttention::dot) {
    product(stretch<Scalar>(state, rows.first_query, rows.queries),
            stretch<Scalar>(memory, rows.first_key, rows.keys).transposed(),
            stretch_to<Scalar>(scores, 0, rows.queries));
    return;
  }
  for_each_tanh(rows, saved, [&](int i, int j, const RowVector<Scalar>& t) {
    scores(i, j) = t.dot(attention.score_weight);
  });
}

}  // namespace

template <class Scalar>
void SourceAttention<Scalar>::resize(int d) {
  const bool additive = kind == RecurrentAttention::additive;
  query_weight.setZero(additive ? d : 0, additive ? d : 0);
  key_weight.setZero(additive ? d : 0, additive ? d : 0);
  score_weight.setZero(additive ? d : 0);
}

template <class Scalar>
void SourceAttentionSaved<Scalar>::arrange(const Batch& batch, const SourceAttention<Scalar>& attention,
                                           int d) {
  sentences.clear();
  std::size_t count = 0;
  for (int i = 0; i < batch.sentences(); ++i) {
    const SentenceRows& rows =
        sentences.emplace_back(SentenceRows{i, batch.target_in.begin(i), batch.target_in.length(i),
                                            batch.source.begin(i), batch.source.length(i), count});
    count += static_cast<std::size_t>(rows.queries) * static_cast<std::size_t>(rows.keys);
  }
  if (attention.kind == RecurrentAttention::none) return;
  if (weights.size() < count) weights.resize(count);
  if (attention.kind == RecurrentAttention::dot) return;
  make_room(query, batch.target_in.tokens(), d);
  make_room(key, batch.source.tokens(), d);
}

template <class Scalar>
void SourceAttentionSaved<Scalar>::make_room_for_backward() {
  make_room(d_query, query.rows(), query.cols());
  make_room(d_key, key.rows(), key.cols());
  make_room(d_score_weight, static_cast<Eigen::Index>(sentences.size()), query.cols());
}

template <class Scalar>
MatrixRef<Scalar> SourceAttentionSaved<Scalar>::weights_of(const SentenceRows& rows) {
  return Eigen::Map<Matrix<Scalar>>(weights.data() + rows.first_weight, rows.queries, rows.keys);
}

template <class Scalar>
void project_keys(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& memory,
                  const SentenceRows& all, SourceAttentionSaved<Scalar>& saved) {
  if (attention.kind != RecurrentAttention::additive) return;
  project<Scalar>(memory.middleRows(all.first_key, all.keys), attention.key_weight,
                  saved.key.middleRows(all.first_key, all.keys));
}

template <class Scalar>
void project_queries(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& state,
                     const SentenceRows& all, SourceAttentionSaved<Scalar>& saved) {
  if (attention.kind != RecurrentAttention::additive) return;
  project<Scalar>(state.middleRows(all.first_query, all.queries), attention.query_weight,
                  saved.query.middleRows(all.first_query, all.queries));
}

template <class Scalar>
void attend_source(const SourceAttention<Scalar>& attention, const ConstMatrixRef<Scalar>& state,
                   const ConstMatrixRef<Scalar>& memory, const SentenceRows& rows,
                   SourceAttentionSaved<Scalar>& saved, MatrixRef<Scalar> context) {
  const Doing doing(Work::attention);
  if (rows.keys == 0) {
    context.middleRows(rows.first_query, rows.queries).setZero();
    return;
  }
  score(attention, state, memory, rows, saved);
  MatrixRef<Scalar> weights = saved.weights_of(rows);
  for (int i = 0; i < rows.queries; ++i) softmax(weights.row(i).data(), rows.keys);
  product(stretch<Scalar>(weights, 0, rows.queries), stretch<Scalar>(memory, rows.first_key, rows.keys),
          stretch_to<Scalar>(context, rows.first_query, rows.queries));
}

template <class Scalar>
void attend_source_backward(const SourceAttention<Scalar>& attention, SourceAttentionEnds<Scalar>& ends,
                            const SentenceRows& rows, SourceAttentionSaved<Scalar>& saved) {
  const Doing doing(Work::attention);
  const bool additive = attention.kind == RecurrentAttention::additive;
  if (additive) {
    saved.d_query.middleRows(rows.first_query, rows.queries).setZero();
    saved.d_key.middleRows(rows.first_key, rows.keys).setZero();
    saved.d_score_weight.row(rows.sentence).setZero();
  }
  if (rows.keys == 0 || rows.queries == 0) return;
  MatrixRef<Scalar> weights = saved.weights_of(rows);  // (n_t, n_s)
  const Factor<Scalar> d_context = stretch<Scalar>(ends.d_context, rows.first_query, rows.queries);
  const Factor<Scalar> memory = stretch<Scalar>(ends.memory, rows.first_key, rows.keys);
  const Block<Scalar> d_memory = stretch_to<Scalar>(ends.d_memory, rows.first_key, rows.keys);

  // context = weights memory, weights = softmax(scores): the weights become the gradient of the scores.
  product(stretch<Scalar>(weights, 0, rows.queries).transposed(), d_context, d_memory, true);
  Matrix<Scalar> d_weights(rows.queries, rows.keys);
  product(d_context, memory.transposed(), stretch_to<Scalar>(d_weights, 0, rows.queries));
  for (int i = 0; i < rows.queries; ++i) {
    const Scalar mean = weights.row(i).dot(d_weights.row(i));
    weights.row(i).array() *= d_weights.row(i).array() - mean;
  }
  const MatrixRef<Scalar>& d_scores = weights;

  if (!additive) {  // scores = state memory^T
    const Factor<Scalar> d = stretch<Scalar>(d_scores, 0, rows.queries);
    product(d, memory, stretch_to<Scalar>(ends.d_state, rows.first_query, rows.queries), true);
    product(d.transposed(), stretch<Scalar>(ends.state, rows.first_query, rows.queries), d_memory, true);
    return;
  }
  auto d_v = saved.d_score_weight.row(rows.sentence);
  for_each_tanh(rows, saved, [&](int i, int j, RowVector<Scalar>& t) {
    const Scalar d = d_scores(i, j);
    d_v += d * t;
    t.array() =
        (1 - t.array().square()) * attention.score_weight.array() * d;  // of what the tanh is taken of
    saved.d_query.row(rows.first_query + i) += t;
    saved.d_key.row(rows.first_key + j) += t;
  });
}

template <class Scalar>
void project_source_backward(const SourceAttention<Scalar>& attention, SourceAttentionEnds<Scalar>& ends,
                             const SentenceRows& all, SourceAttentionSaved<Scalar>& saved) {
  if (attention.kind != RecurrentAttention::additive) return;
  const Doing doing(Work::product);
  product(stretch<Scalar>(saved.d_query, all.first_query, all.queries),
          stretch<Scalar>(attention.query_weight, 0, static_cast<int>(attention.query_weight.rows())),
          stretch_to<Scalar>(ends.d_state, all.first_query, all.queries), true);
  product(stretch<Scalar>(saved.d_key, all.first_key, all.keys),
          stretch<Scalar>(attention.key_weight, 0, static_cast<int>(attention.key_weight.rows())),
          stretch_to<Scalar>(ends.d_memory, all.first_key, all.keys), true);
}

#define GLASSFORMER_SOURCE_ATTENTION(Scalar)                                                          \
  template struct SourceAttention<Scalar>;                                                            \
  template struct SourceAttentionSaved<Scalar>;                                                       \
  template void project_keys(const SourceAttention<Scalar>&, const ConstMatrixRef<Scalar>&,           \
                             const SentenceRows&, SourceAttentionSaved<Scalar>&);                     \
  template void project_queries(const SourceAttention<Scalar>&, const ConstMatrixRef<Scalar>&,        \
                                const SentenceRows&, SourceAttentionSaved<Scalar>&);                  \
  template void attend_source(const SourceAttention<Scalar>&, const ConstMatrixRef<Scalar>&,          \
                              const ConstMatrixRef<Scalar>&, const SentenceRows&,                     \
                              SourceAttentionSaved<Scalar>&, MatrixRef<Scalar>);                      \
  template void attend_source_backward(const SourceAttention<Scalar>&, SourceAttentionEnds<Scalar>&,  \
                                       const SentenceRows&, SourceAttentionSaved<Scalar>&);           \
  template void project_source_backward(const SourceAttention<Scalar>&, SourceAttentionEnds<Scalar>&, \
                                        const SentenceRows&, SourceAttentionSaved<Scalar>&);
GLASSFORMER_SOURCE_ATTENTION(float)
GLASSFORMER_SOURCE_ATTENTION(double)

}  // namespace glassformer
