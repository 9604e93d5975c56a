#include "engine/layers/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/math/product.h"
#include "engine/math/softmax.h"
#include "engine/math/work_profile.h"

namespace glassformer {
namespace {

template <class Scalar>
using BlockMap = Eigen::Map<Matrix<Scalar>>;

// Rows [first, first + rows) of one head's columns, as a strided block.
template <class Scalar>
Block<Scalar> head_block(Matrix<Scalar>& matrix, int first, int rows, int column, int width) {
  const int stride = static_cast<int>(matrix.cols());
  return {matrix.data() + static_cast<std::ptrdiff_t>(first) * stride + column, rows, width, stride};
}

// Q, K, V of one head of one sentence, wherever they are (self: one matrix; cross: two).
template <class Scalar>
struct HeadRows {
  Block<Scalar> query, key, value;  // (L_q, k), (L_k, k), (L_k, k)
};

template <class Scalar>
HeadRows<Scalar> head_rows(AttentionSaved<Scalar>& saved, const AttentionPlan& plan,
                           const AttentionSpan& span, int head, int width) {
  const int d = static_cast<int>(saved.context.cols());
  Matrix<Scalar>& keys = plan.cross ? saved.projected_memory : saved.projected;
  const int column = head * width;
  const int key_column = (plan.cross ? 0 : d) + column;
  return {head_block(saved.projected, span.first_query, span.queries, column, width),
          head_block(keys, span.first_key, span.keys, key_column, width),
          head_block(keys, span.first_key, span.keys, key_column + d, width)};
}

// Entries that must not be seen become -inf.
template <class Scalar>
void hide(const AttentionPlan& plan, const AttentionSpan& span, BlockMap<Scalar>& scores) {
  constexpr Scalar kHidden = -std::numeric_limits<Scalar>::infinity();
  if (!plan.hidden_keys.empty()) {
    for (int key = 0; key < span.keys; ++key) {
      if (plan.hidden_keys[static_cast<std::size_t>(span.first_key + key)] != 0)
        scores.col(key).setConstant(kHidden);
    }
  }
  if (plan.causal) {
    for (int query = 0; query + 1 < span.keys && query < span.queries; ++query) {
      scores.row(query).tail(span.keys - query - 1).setConstant(kHidden);
    }
  }
}

template <class Scalar>
void copy(const Block<Scalar>& from, const Block<Scalar>& to) {
  for (int i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.columns, to.row(i));
}

template <class Scalar>
void softmax_rows(const Block<Scalar>& scores) {
  const Doing doing(Work::softmax);
  glassformer::softmax_rows(scores.data, scores.rows, scores.columns);
}

// From d loss / d dropped to d loss / d scores, in place. With t = dropped * d_dropped:
//   d_scores = t - weights * (sum of t along the row)
template <class Scalar>
void softmax_rows_backward(const Block<Scalar>& weights, const Block<Scalar>& dropped,
                           const Block<Scalar>& d) {
  const Doing doing(Work::softmax);
  using Numbers = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  const Eigen::Index all = static_cast<Eigen::Index>(d.rows) * d.columns;  // they lie row after row
  Numbers(d.data, all) *= Numbers(dropped.data, all);
  for (int i = 0; i < d.rows; ++i) {
    Numbers row(d.row(i), d.columns);
    row -= Numbers(weights.row(i), d.columns) * row.sum();
  }
}

// How many keys the mask leaves to a query.
int seen_keys(const AttentionPlan& plan, const AttentionSpan& span, int query) {
  const int keys = plan.causal ? std::min(query + 1, span.keys) : span.keys;
  if (plan.hidden_keys.empty()) return keys;
  const auto first = plan.hidden_keys.begin() + span.first_key;
  return static_cast<int>(std::count(first, first + keys, 0));
}

// weights = max(0, score) / n; hidden keys get 0, and what is not a number stays so.
template <class Scalar>
void relu_rows(const AttentionPlan& plan, const AttentionSpan& span, const Block<Scalar>& scores) {
  for (int i = 0; i < scores.rows; ++i) {
    const Scalar share = Scalar{1} / static_cast<Scalar>(std::max(1, seen_keys(plan, span, i)));
    Scalar* const row = scores.row(i);
    for (int key = 0; key < scores.columns; ++key) row[key] = row[key] <= 0 ? Scalar{0} : row[key] * share;
  }
}

// From d loss / d dropped to d loss / d scores, in place: the slope is 1 / n where there is a weight.
template <class Scalar>
void relu_rows_backward(const AttentionPlan& plan, const AttentionSpan& span, const Block<Scalar>& weights,
                        const Block<Scalar>& dropped, const Block<Scalar>& d) {
  for (int i = 0; i < d.rows; ++i) {
    const Scalar share = Scalar{1} / static_cast<Scalar>(std::max(1, seen_keys(plan, span, i)));
    for (int key = 0; key < d.columns; ++key) {
      const Scalar weight = weights.row(i)[key];
      d.row(i)[key] = weight == 0 ? Scalar{0} : d.row(i)[key] * (dropped.row(i)[key] / weight) * share;
    }
  }
}

// What is behind the query gets nothing, and the rest no more for it.
template <class Scalar>
void zero_future(const AttentionSpan& span, BlockMap<Scalar>& weights) {
  for (int query = 0; query + 1 < span.keys && query < span.queries; ++query)
    weights.row(query).tail(span.keys - query - 1).setZero();
}

template <class Scalar>
Scalar score_scale(const Attention<Scalar>& layer, int width) {
  return layer.scale ? 1 / std::sqrt(static_cast<Scalar>(width)) : Scalar{1};
}

template <class Work>
void for_each_sentence(const AttentionPart& part, Work&& work) {
  for (int sentence = part.first_sentence; sentence < part.first_sentence + part.sentences; ++sentence)
    work(part.plan->spans[static_cast<std::size_t>(sentence)]);
}

}  // namespace

template <class Scalar>
void AttentionSaved<Scalar>::resize(const AttentionPlan& plan, int d, int query_rows, int key_rows,
                                    int chunks) {
  make_room<Scalar>(projected, query_rows, plan.cross ? d : 3 * d);
  make_room<Scalar>(projected_memory, plan.cross ? key_rows : 0, 2 * d);
  make_room<Scalar>(weights, static_cast<Eigen::Index>(plan.weights), 1);
  make_room<Scalar>(dropped, static_cast<Eigen::Index>(plan.weights), 1);
  make_room<Scalar>(context, query_rows, d);
  make_room<Scalar>(d_scores, chunks * static_cast<Eigen::Index>(plan.longest_block), 1);
}

template <class Scalar, class T>
void attend(const Attention<Scalar>& layer, const AttentionPart& part, const ConstMatrixRef<Scalar>& x,
            const ConstMatrixRef<Scalar>* memory, AttentionSaved<Scalar>& saved, MatrixRef<Scalar> output,
            const Probe<T>& probe) {
  const AttentionPlan& plan = *part.plan;
  const int d = static_cast<int>(x.cols());
  const int width = d / layer.heads;
  const Scalar scale = score_scale(layer, width);

  // Project to queries, keys and values.
  auto projected = saved.projected.middleRows(part.first_query, part.queries);
  layer.input.forward(x, projected);
  Probe<T> key_probe = probe;
  if (memory != nullptr) {
    auto projected_memory = saved.projected_memory.middleRows(part.first_key, part.keys);
    layer.input.forward(*memory, projected_memory, d);
    key_probe.side = plan.key_side;
    key_probe.first_row = part.first_key;
    probe.heads("query", projected, layer.heads);
    key_probe.heads("key", projected_memory.leftCols(d), layer.heads);
    key_probe.heads("value", projected_memory.rightCols(d), layer.heads);
  } else {
    probe.heads("query", projected.leftCols(d), layer.heads);
    probe.heads("key", projected.middleCols(d, d), layer.heads);
    probe.heads("value", projected.rightCols(d), layer.heads);
    if (layer.rotary) {
      for_each_sentence(part, [&](const AttentionSpan& span) {
        position_queries_and_keys<Scalar>(layer, *plan.positions, 0,
                                          saved.projected.middleRows(span.first_query, span.queries));
      });
      probe.heads("rotated_query", projected.leftCols(d), layer.heads);
      probe.heads("rotated_key", projected.middleCols(d, d), layer.heads);
    }
  }

  // Weigh the keys and take the mean of the values, a sentence and a head at a time.
  for (int sentence = part.first_sentence; sentence < part.first_sentence + part.sentences; ++sentence) {
    const AttentionSpan& span = plan.spans[static_cast<std::size_t>(sentence)];
    const Doing attending(Work::attention, 4.0 * span.queries * span.keys * d);
    for (int head = 0; head < layer.heads; ++head) {
      const HeadRows<Scalar> rows = head_rows(saved, plan, span, head, width);
      const auto block = static_cast<std::ptrdiff_t>(head) * span.queries * span.keys;
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(span.weights) + block;
      BlockMap<Scalar> weights(saved.weights.data() + at, span.queries, span.keys);  // (L_q, L_k)
      const Block<Scalar> weights_block{weights.data(), span.queries, span.keys, span.keys};

      product<Scalar>(rows.query, Factor<Scalar>(rows.key).transposed(), weights_block);
      probe.attention("dot_products", weights, layer.heads, sentence, head, plan.key_side);
      weights *= scale;
      probe.attention("scores", weights, layer.heads, sentence, head, plan.key_side);
      bias_scores<Scalar>(layer, head, plan.positions, 0, weights);
      hide(plan, span, weights);
      probe.attention("masked_scores", weights, layer.heads, sentence, head, plan.key_side);
      if (layer.activation == AttentionActivation::softmax)
        softmax_rows(weights_block);
      else
        relu_rows(plan, span, weights_block);
      probe.attention("weights", weights, layer.heads, sentence, head, plan.key_side);

      Block<Scalar> dropped = weights_block;
      if (part.dropout.active() || plan.zeroes) {
        dropped.data = saved.dropped.data() + at;
        BlockMap<Scalar> used(dropped.data, span.queries, span.keys);
        used = weights;
        if (plan.zeroes) zero_future(span, used);
      }
      if (part.dropout.active()) {
        drop(dropped.data, static_cast<std::size_t>(weights.size()), static_cast<std::size_t>(at),
             part.dropout);
      }
      product<Scalar>(dropped, rows.value,
                      head_block(saved.context, span.first_query, span.queries, head * width, width));
    }
  }

  // Bring the heads together.
  auto context = saved.context.middleRows(part.first_query, part.queries);
  probe.heads("context", context, layer.heads);
  probe.rows("concat", context);
  layer.output.forward(context, output);
  probe.rows("output", output);
}

template <class Scalar, class T>
void attend_backward(const Attention<Scalar>& layer, const AttentionPart& part, MatrixRef<Scalar> d_output,
                     AttentionSaved<Scalar>& saved, MatrixRef<Scalar> d_x, MatrixRef<Scalar>* d_memory,
                     const Probe<T>& probe) {
  const AttentionPlan& plan = *part.plan;
  const int d = static_cast<int>(d_x.cols());
  const int width = d / layer.heads;
  const Scalar scale = score_scale(layer, width);

  // output = context Wo^T + bo. The gradient of the context is in d_x for a while.
  probe.rows("output", d_output);
  layer.output.backward(d_output, d_x);
  probe.rows("concat", d_x);
  probe.heads("context", d_x, layer.heads);

  Scalar* const scratch =
      saved.d_scores.data() + part.chunk * static_cast<std::ptrdiff_t>(plan.longest_block);
  for (int sentence = part.first_sentence; sentence < part.first_sentence + part.sentences; ++sentence) {
    const AttentionSpan& span = plan.spans[static_cast<std::size_t>(sentence)];
    const Doing attending(Work::attention, 8.0 * span.queries * span.keys * d);
    for (int head = 0; head < layer.heads; ++head) {
      const HeadRows<Scalar> rows = head_rows(saved, plan, span, head, width);
      const auto block = static_cast<std::ptrdiff_t>(head) * span.queries * span.keys;
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(span.weights) + block;
      const Block<Scalar> weights{saved.weights.data() + at, span.queries, span.keys, span.keys};
      const bool apart = part.dropout.active() || plan.zeroes;
      Scalar* dropped_data = (apart ? saved.dropped : saved.weights).data() + at;
      const Block<Scalar> dropped{dropped_data, span.queries, span.keys, span.keys};
      const Block<Scalar> d_context{
          d_x.data() + (span.first_query - part.first_query) * d_x.outerStride() + head * width, span.queries,
          width, static_cast<int>(d_x.outerStride())};
      BlockMap<Scalar> d_scores(scratch, span.queries, span.keys);  // (L_q, L_k)
      const Block<Scalar> d_scores_block{scratch, span.queries, span.keys, span.keys};

      // context = dropped V
      product<Scalar>(d_context, Factor<Scalar>(rows.value).transposed(), d_scores_block);
      product<Scalar>(Factor<Scalar>(dropped).transposed(), d_context, rows.value);
      probe.attention("weights", d_scores, layer.heads, sentence, head, plan.key_side);

      // weights = softmax(scores), dropped = weights * mask / (1 - p), the mask of zeroes() too
      if (layer.activation == AttentionActivation::softmax)
        softmax_rows_backward<Scalar>(weights, dropped, d_scores_block);
      else
        relu_rows_backward<Scalar>(plan, span, weights, dropped, d_scores_block);
      probe.attention("masked_scores", d_scores, layer.heads, sentence, head, plan.key_side);
      probe.attention("scores", d_scores, layer.heads, sentence, head, plan.key_side);
      d_scores *= scale;
      probe.attention("dot_products", d_scores, layer.heads, sentence, head, plan.key_side);

      // dot_products = Q K^T. The gradients take the place of Q and K; that of Q waits where d_context was.
      product<Scalar>(d_scores_block, rows.key, d_context);
      product<Scalar>(Factor<Scalar>(d_scores_block).transposed(), rows.query, rows.key);
      copy<Scalar>(d_context, rows.query);
    }
  }

  // Back through the projections.
  auto d_projected = saved.projected.middleRows(part.first_query, part.queries);
  if (d_memory != nullptr) {
    auto d_projected_memory = saved.projected_memory.middleRows(part.first_key, part.keys);
    Probe<T> key_probe = probe;
    key_probe.side = plan.key_side;
    key_probe.first_row = part.first_key;
    probe.heads("query", d_projected, layer.heads);
    key_probe.heads("key", d_projected_memory.leftCols(d), layer.heads);
    key_probe.heads("value", d_projected_memory.rightCols(d), layer.heads);
    layer.input.backward(d_projected_memory, *d_memory, true, d);
  } else {
    if (layer.rotary) {
      probe.heads("rotated_query", d_projected.leftCols(d), layer.heads);
      probe.heads("rotated_key", d_projected.middleCols(d, d), layer.heads);
      for_each_sentence(part, [&](const AttentionSpan& span) {
        layer.rotary->rotate_back(*plan.positions, 0,
                                  saved.projected.middleRows(span.first_query, span.queries)
                                      .leftCols(2 * static_cast<Eigen::Index>(d)));
      });
    }
    probe.heads("query", d_projected.leftCols(d), layer.heads);
    probe.heads("key", d_projected.middleCols(d, d), layer.heads);
    probe.heads("value", d_projected.rightCols(d), layer.heads);
  }
  layer.input.backward(d_projected, d_x);
}

#define GLASSFORMER_ATTENTION(Scalar, T)                                                              \
  template void attend(const Attention<Scalar>&, const AttentionPart&, const ConstMatrixRef<Scalar>&, \
                       const ConstMatrixRef<Scalar>*, AttentionSaved<Scalar>&, MatrixRef<Scalar>,     \
                       const Probe<T>&);                                                              \
  template void attend_backward(const Attention<Scalar>&, const AttentionPart&, MatrixRef<Scalar>,    \
                                AttentionSaved<Scalar>&, MatrixRef<Scalar>, MatrixRef<Scalar>*,       \
                                const Probe<T>&);
template struct AttentionSaved<float>;
template struct AttentionSaved<double>;
GLASSFORMER_ATTENTION(float, NoTap)
GLASSFORMER_ATTENTION(float, Tap<float>)
GLASSFORMER_ATTENTION(double, NoTap)
GLASSFORMER_ATTENTION(double, Tap<double>)

}  // namespace glassformer
