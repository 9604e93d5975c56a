// The backward pass: figure 1 from the top to the bottom. What flows back to the inputs is computed chunk by
// chunk; the gradients of the weights are sums over all tokens and are taken together at the end, tile by
// tile.
#include <algorithm>
#include <cmath>

#include "engine/layers/embedding.h"
#include "engine/model/pass.h"

namespace glassformer {
namespace {

template <class Scalar, class T>
void logits_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  auto d_logits = p.part(Side::target, chunk, p.saved.logits);  // (n, V_t)
  auto d = p.part(Side::target, chunk, p.saved.target.d);       // (n, d)
  p.probe(Side::target, chunk).rows("logits", d_logits);
  project_backward<Scalar>(d_logits, p.model.projection(), d);
}

template <class Scalar, class T>
void finish_stack_backward(const Pass<Scalar, T>& p, Side side, const Chunk& chunk) {
  auto d = p.part(side, chunk, p.values(side).d);  // (n, d)
  p.probe(side, chunk).rows(side == Side::source ? "memory" : "decoder.output", d);
  if (!p.model.config.final_norm) return;
  const LayerNorm<Scalar>& norm = side == Side::source ? p.model.encoder_norm : p.model.decoder_norm;
  layer_norm_backward<Scalar>(norm, d, p.first(side, chunk), p.index(chunk), p.values(side).final_norm);
}

template <class Scalar, class T>
void decode_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  const bool pre_norm = p.pre_norm();
  const auto rows = [&](auto& all) { return p.part(Side::target, chunk, all); };
  auto d = rows(p.saved.target.d);                // (n, d), the residual stream's gradient
  auto d_branch = rows(p.saved.target.d_branch);  // (n, d)
  MatrixRef<Scalar> d_memory = p.part(Side::source, chunk, p.saved.source.d);  // (n_s, d)
  d_memory.setZero();
  finish_stack_backward(p, Side::target, chunk);

  for (std::size_t i = p.model.decoder_layers.size(); i-- > 0;) {
    const DecoderLayer<Scalar>& layer = p.model.decoder_layers[i];
    DecoderLayerSaved<Scalar>& s = p.saved.decoder_layers[i];
    const Probe<T> at = p.probe(Side::target, chunk).inside("decoder.layers", i);
    at.rows("output", d);

    // Feed-forward.
    const AddNormPart part3 = p.add_norm(Side::target, chunk, i, DropoutPlace::output);
    after_backward<Scalar>(layer.norm3, part3, d, s.add_norm3, {"norm3", "residual3"}, at);
    feed_forward_backward<Scalar>(layer.feed_forward, rows(branch(pre_norm, s.add_norm3)),
                                  p.dropout(Side::target, i, DropoutPlace::hidden), s.feed_forward, d_branch,
                                  at.inside("feed_forward"));
    before_backward<Scalar>(layer.norm3, part3, d_branch, s.add_norm3, d, "norm3", at);

    // Cross-attention.
    const AddNormPart part2 = p.add_norm(Side::target, chunk, i, DropoutPlace::cross_output);
    const AttentionPart cross = p.attention(p.saved.cross_plan, chunk, i, DropoutPlace::cross_weights);
    after_backward<Scalar>(layer.norm2, part2, d, s.add_norm2, {"norm2", "residual2"}, at);
    attend_backward<Scalar>(layer.cross_attention, cross, rows(branch(pre_norm, s.add_norm2)),
                            s.cross_attention, d_branch, &d_memory, at.inside("cross_attn"));
    before_backward<Scalar>(layer.norm2, part2, d_branch, s.add_norm2, d, "norm2", at);

    // Self-attention.
    const AddNormPart part1 = p.add_norm(Side::target, chunk, i, DropoutPlace::self_output);
    const AttentionPart heads = p.attention(p.saved.decoder_plan, chunk, i, DropoutPlace::self_weights);
    after_backward<Scalar>(layer.norm1, part1, d, s.add_norm1, {"norm1", "residual1"}, at);
    attend_backward<Scalar>(layer.self_attention, heads, rows(branch(pre_norm, s.add_norm1)),
                            s.self_attention, d_branch, nullptr, at.inside("self_attn"));
    before_backward<Scalar>(layer.norm1, part1, d_branch, s.add_norm1, d, "norm1", at);
  }
}

template <class Scalar, class T>
void encode_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  const bool pre_norm = p.pre_norm();
  const auto rows = [&](auto& all) { return p.part(Side::source, chunk, all); };
  auto d = rows(p.saved.source.d);                // (n, d), starts as the gradient of the memory
  auto d_branch = rows(p.saved.source.d_branch);  // (n, d)
  finish_stack_backward(p, Side::source, chunk);

  for (std::size_t i = p.model.encoder_layers.size(); i-- > 0;) {
    const EncoderLayer<Scalar>& layer = p.model.encoder_layers[i];
    EncoderLayerSaved<Scalar>& s = p.saved.encoder_layers[i];
    const Probe<T> at = p.probe(Side::source, chunk).inside("encoder.layers", i);
    at.rows("output", d);

    // Feed-forward.
    const AddNormPart part2 = p.add_norm(Side::source, chunk, i, DropoutPlace::output);
    after_backward<Scalar>(layer.norm2, part2, d, s.add_norm2, {"norm2", "residual2"}, at);
    feed_forward_backward<Scalar>(layer.feed_forward, rows(branch(pre_norm, s.add_norm2)),
                                  p.dropout(Side::source, i, DropoutPlace::hidden), s.feed_forward, d_branch,
                                  at.inside("feed_forward"));
    before_backward<Scalar>(layer.norm2, part2, d_branch, s.add_norm2, d, "norm2", at);

    // Self-attention.
    const AddNormPart part1 = p.add_norm(Side::source, chunk, i, DropoutPlace::self_output);
    const AttentionPart heads = p.attention(p.saved.encoder_plan, chunk, i, DropoutPlace::self_weights);
    after_backward<Scalar>(layer.norm1, part1, d, s.add_norm1, {"norm1", "residual1"}, at);
    attend_backward<Scalar>(layer.self_attention, heads, rows(branch(pre_norm, s.add_norm1)),
                            s.self_attention, d_branch, nullptr, at.inside("self_attn"));
    before_backward<Scalar>(layer.norm1, part1, d_branch, s.add_norm1, d, "norm1", at);
  }
}

// In the end values(side).d holds the gradient of embeddings + positions.
template <class Scalar, class T>
void embed_backward(const Pass<Scalar, T>& p, Side side, const Chunk& chunk) {
  SideSaved<Scalar>& s = p.values(side);
  const Probe<T> at = p.probe(side, chunk).inside(side == Side::source ? "source" : "target");
  auto d = p.part(side, chunk, s.d);  // (n, d)
  const Dropout dropout = p.dropout(side, 0, DropoutPlace::embedding);
  if (dropout.active()) {
    drop(d.data(), static_cast<std::size_t>(d.size()), static_cast<std::size_t>(p.first(side, chunk)),
         dropout);
  }
  at.rows("input", d);
  if (p.model.config.embedding_norm) {
    const LayerNorm<Scalar>& norm =
        side == Side::source ? p.model.source_embedding_norm : p.model.target_embedding_norm;
    layer_norm_backward<Scalar>(norm, d, p.first(side, chunk), p.index(chunk), s.norm);
    if (p.model.config.adds_positions()) at.rows("sum", d);
  }
  at.rows("embedding", d);
  if constexpr (T::kActive) {
    if (p.model.config.scale_embeddings) {
      Matrix<Scalar> d_lookup = d * std::sqrt(static_cast<Scalar>(p.model.config.d_model));  // (n, d)
      at.rows("lookup", d_lookup);
    }
  }
}

// What each place's row hands back, over all sentences: only those who look in want to see it.
template <class Scalar, class T>
void tell_positions(const Pass<Scalar, T>& p, Side side) {
  if constexpr (T::kActive) {
    if (!p.model.config.adds_positions()) return;
    const PackedIds& ids = side == Side::source ? p.batch.source : p.batch.target_in;
    Matrix<Scalar> d = Matrix<Scalar>::Zero(ids.longest(), p.model.config.d_model);  // (L, d)
    for (int i = 0; i < ids.sentences(); ++i)
      d.topRows(ids.length(i)) += p.values(side).d.middleRows(ids.begin(i), ids.length(i));
    const Probe<T> everywhere{p.tap, true, side, 0, {}};
    everywhere.inside(side == Side::source ? "source" : "target").table("positions", d);
  }
}

template <class Scalar, class T>
void run_backward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap) {
  prepare_backward(model, saved);
  const Pass<Scalar, T> pass{model, batch, saved, tap, true};
  for_each_chunk<T>(saved, [&](const Chunk& chunk) {
    logits_backward(pass, chunk);
    decode_backward(pass, chunk);
    embed_backward(pass, Side::target, chunk);
    encode_backward(pass, chunk);
    embed_backward(pass, Side::source, chunk);
  });
  tell_positions(pass, Side::source);
  tell_positions(pass, Side::target);
}

}  // namespace

template <class Scalar>
void Transformer<Scalar>::backward(const Batch& batch, Saved<Scalar>& saved, Transformer& gradient,
                                   bool add) const {
  NoTap nobody;
  run_backward(*this, batch, saved, nobody);
  add_weight_gradients(*this, batch, saved, gradient, add);
}

template <class Scalar>
void Transformer<Scalar>::backward(const Batch& batch, Saved<Scalar>& saved, Transformer& gradient,
                                   Tap<Scalar>& tap, bool add) const {
  run_backward(*this, batch, saved, tap);
  add_weight_gradients(*this, batch, saved, gradient, add);
}

#define GLASSFORMER_BACKWARD(Scalar)                                                                    \
  template void Transformer<Scalar>::backward(const Batch&, Saved<Scalar>&, Transformer&, bool) const;  \
  template void Transformer<Scalar>::backward(const Batch&, Saved<Scalar>&, Transformer&, Tap<Scalar>&, \
                                              bool) const;
GLASSFORMER_BACKWARD(float)
GLASSFORMER_BACKWARD(double)

}  // namespace glassformer
