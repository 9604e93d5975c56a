#include "engine/model/dropout_masks.h"

#include "engine/model/pass.h"

namespace glassformer {
namespace {

// The rows of every chunk are dropped in one call, whose first number says where it is.
template <class First>
Matrix<float> drawn_by_chunks(const Pass<float, NoTap>& pass, Side side, int rows, int columns,
                              const Dropout& dropout, First&& first) {
  Matrix<float> mask = Matrix<float>::Ones(rows, columns);
  if (!dropout.active()) return mask;
  for (const Chunk& chunk : pass.saved.chunks) {
    auto part = pass.part(side, chunk, mask);
    drop(part.data(), static_cast<std::size_t>(part.size()), first(pass.first(side, chunk)), dropout);
  }
  return mask;
}

}  // namespace

DropoutMasks::DropoutMasks(const Transformer<float>& model, const Batch& batch, const DropoutStep& step)
    : model_(model), batch_(batch) {
  saved_.dropout = step.p;
  saved_.attention_dropout = step.attention_p;
  saved_.seed = step.seed;
  saved_.step = step.step;
  prepare_forward(model, batch, saved_);
}

double DropoutMasks::growth() const {
  return Dropout{saved_.dropout}.growth();
}

double DropoutMasks::attention_growth() const {
  return saved_.attention_dropout >= 0 ? Dropout{saved_.attention_dropout}.growth() : growth();
}

Matrix<float> DropoutMasks::embedding(Side side) const {
  NoTap nobody;
  const Pass<float, NoTap> pass{model_, batch_, saved_, nobody};
  const PackedIds& ids = side == Side::source ? batch_.source : batch_.target_in;
  return drawn_by_chunks(pass, side, ids.tokens(), model_.config.d_model,
                         pass.dropout(side, 0, DropoutPlace::embedding),
                         [](int row) { return static_cast<std::size_t>(row); });
}

Matrix<float> DropoutMasks::hidden(Side side, int layer) const {
  NoTap nobody;
  const Pass<float, NoTap> pass{model_, batch_, saved_, nobody};
  const PackedIds& ids = side == Side::source ? batch_.source : batch_.target_in;
  const int f = model_.config.d_ff;
  return drawn_by_chunks(pass, side, ids.tokens(), f,
                         pass.dropout(side, static_cast<std::size_t>(layer), DropoutPlace::hidden),
                         [f](int row) { return static_cast<std::size_t>(row * f); });
}

Matrix<float> DropoutMasks::weights(AttentionKind kind, int layer, int sentence, int head) const {
  NoTap nobody;
  const Pass<float, NoTap> pass{model_, batch_, saved_, nobody};
  const bool cross = kind == AttentionKind::cross;
  const AttentionPlan& plan = cross                            ? saved_.cross_plan
                              : kind == AttentionKind::encoder ? saved_.encoder_plan
                                                               : saved_.decoder_plan;
  const AttentionSpan& span = plan.spans[static_cast<std::size_t>(sentence)];
  Matrix<float> mask = Matrix<float>::Ones(span.queries, span.keys);
  const Dropout dropout = pass.dropout(plan.query_side, static_cast<std::size_t>(layer),
                                       cross ? DropoutPlace::cross_weights : DropoutPlace::self_weights);
  if (!dropout.active()) return mask;
  const auto size = static_cast<std::size_t>(mask.size());
  drop(mask.data(), size, span.weights + static_cast<std::size_t>(head) * size, dropout);
  return mask;
}

}  // namespace glassformer
