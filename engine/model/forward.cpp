// The forward pass, from ids to logits: the paper's figure 1 from the bottom to the top.
#include <cmath>

#include "engine/layers/embedding.h"
#include "engine/model/pass.h"
#include "engine/model/training_pass.h"

namespace glassformer {
namespace {

// x = E[ids] * sqrt(d) + P, normalised if the model wants it, then dropout.
template <class Scalar, class T>
void embed_tokens(const Pass<Scalar, T>& p, Side side, const Chunk& chunk) {
  const Config& config = p.model.config;
  const PackedIds& ids = side == Side::source ? p.batch.source : p.batch.target_in;
  const Matrix<Scalar>& table = side == Side::source ? p.model.source_table() : p.model.target_embedding;
  SideSaved<Scalar>& s = p.values(side);
  const Probe<T> at = p.probe(side, chunk).inside(side == Side::source ? "source" : "target");
  auto embedded = p.part(side, chunk, s.embedded);  // (n, d)
  auto input = p.part(side, chunk, s.input);        // (n, d)

  // Words.
  const double scale = config.scale_embeddings ? std::sqrt(static_cast<double>(config.d_model)) : 1.0;
  const auto chunk_ids = ids.ids().subspan(static_cast<std::size_t>(p.first(side, chunk)),
                                           static_cast<std::size_t>(p.rows(side, chunk)));
  if constexpr (T::kActive) {
    if (config.scale_embeddings) {
      Matrix<Scalar> lookup(embedded.rows(), embedded.cols());  // (n, d)
      embed<Scalar>(table, chunk_ids, 1, lookup);
      at.rows("lookup", lookup);
    }
  }
  embed<Scalar>(table, chunk_ids, scale, embedded);
  at.rows("embedding", embedded);

  // Places.
  if (config.adds_positions()) {
    const Matrix<Scalar>& learned =
        side == Side::source ? p.model.source_positions : p.model.target_positions;
    const Matrix<Scalar>* positions = config.learns_positions() ? &learned : &p.saved.positions;
    const GivenPositions& given = p.positions(side);
    if (!given.as_they_stand()) positions = &s.positions;
    if constexpr (T::kActive) {
      s.positions = positions->topRows(ids.longest());
      at.table("positions", s.positions);
      positions = &s.positions;
    }
    for (int sentence = chunk.first_sentence; sentence < chunk.first_sentence + chunk.sentences; ++sentence) {
      const int length = ids.length(sentence);
      s.embedded.middleRows(ids.begin(sentence), length) += positions->topRows(length);
    }
  }

  // What the first layer reads.
  if (config.embedding_norm) {
    const LayerNorm<Scalar>& norm =
        side == Side::source ? p.model.source_embedding_norm : p.model.target_embedding_norm;
    if (config.adds_positions()) at.rows("sum", embedded);
    layer_norm_forward<Scalar>(norm, config.layer_norm_eps, embedded, p.first(side, chunk), s.norm);
    record_statistics(norm, s.norm, p.first(side, chunk), p.rows(side, chunk),
                      p.probe(side, chunk)
                          .inside(side == Side::source ? "source_embedding_norm" : "target_embedding_norm"));
    input = p.part(side, chunk, s.norm.y);
  } else {
    input = embedded;
  }
  at.rows("input", input);
  const Dropout dropout = p.dropout(side, 0, DropoutPlace::embedding);
  if (dropout.active()) {
    drop(input.data(), static_cast<std::size_t>(input.size()), static_cast<std::size_t>(p.first(side, chunk)),
         dropout);
  }
}

// The LayerNorm after a stack, if there is one.
template <class Scalar, class T>
void finish_stack(const Pass<Scalar, T>& p, Side side, const Chunk& chunk, Matrix<Scalar>& x) {
  const Probe<T> at = p.probe(side, chunk);
  const char* name = side == Side::source ? "memory" : "decoder.output";
  if (!p.model.config.final_norm) {
    at.rows(name, p.part(side, chunk, x));
    // Pre-norm sums make room for gradients on the way back, but this one is still needed then.
    if (p.pre_norm()) p.part(side, chunk, p.values(side).final_norm.y) = p.part(side, chunk, x);
    return;
  }
  const LayerNorm<Scalar>& norm = side == Side::source ? p.model.encoder_norm : p.model.decoder_norm;
  LayerNormSaved<Scalar>& s = p.values(side).final_norm;
  layer_norm_forward<Scalar>(norm, p.model.config.layer_norm_eps, p.part(side, chunk, x),
                             p.first(side, chunk), s);
  record_statistics(norm, s, p.first(side, chunk), p.rows(side, chunk),
                    at.inside(side == Side::source ? "encoder.norm" : "decoder.norm"));
  at.rows(name, p.part(side, chunk, s.y));
}

template <class Scalar, class T>
void encode(const Pass<Scalar, T>& p, const Chunk& chunk) {
  const bool pre_norm = p.pre_norm();
  const auto rows = [&](auto& all) { return p.part(Side::source, chunk, all); };
  Matrix<Scalar>* x = &p.saved.source.input;  // (N_s, d), the residual stream

  for (std::size_t i = 0; i < p.model.encoder_layers.size(); ++i) {
    const EncoderLayer<Scalar>& layer = p.model.encoder_layers[i];
    EncoderLayerSaved<Scalar>& s = p.saved.encoder_layers[i];
    const Probe<T> at = p.probe(Side::source, chunk).inside("encoder.layers", i);

    // Self-attention, Add & Norm.
    const AddNormPart part1 = p.add_norm(Side::source, chunk, i, DropoutPlace::self_output);
    const AttentionPart heads = p.attention(p.saved.encoder_plan, chunk, i, DropoutPlace::self_weights);
    before<Scalar>(layer.norm1, part1, rows(*x), s.add_norm1, "norm1", at);
    attend<Scalar>(layer.self_attention, heads, rows(sublayer_input(pre_norm, *x, s.add_norm1)), nullptr,
                   s.self_attention, rows(branch(pre_norm, s.add_norm1)), at.inside("self_attn"));
    after<Scalar>(layer.norm1, part1, rows(*x), s.add_norm1, {"norm1", "residual1"}, at);
    x = &result(pre_norm, s.add_norm1);

    // Feed-forward, Add & Norm.
    const AddNormPart part2 = p.add_norm(Side::source, chunk, i, DropoutPlace::output);
    before<Scalar>(layer.norm2, part2, rows(*x), s.add_norm2, "norm2", at);
    feed_forward<Scalar>(layer.feed_forward, rows(sublayer_input(pre_norm, *x, s.add_norm2)),
                         p.dropout(Side::source, i, DropoutPlace::hidden), s.feed_forward,
                         rows(branch(pre_norm, s.add_norm2)), at.inside("feed_forward"));
    after<Scalar>(layer.norm2, part2, rows(*x), s.add_norm2, {"norm2", "residual2"}, at);
    x = &result(pre_norm, s.add_norm2);
    at.rows("output", rows(*x));
  }
  finish_stack(p, Side::source, chunk, *x);
}

template <class Scalar, class T>
void decode(const Pass<Scalar, T>& p, const Chunk& chunk) {
  const bool pre_norm = p.pre_norm();
  const auto rows = [&](auto& all) { return p.part(Side::target, chunk, all); };
  const ConstMatrixRef<Scalar> memory = p.part(Side::source, chunk, *p.saved.memory);  // (n_s, d)
  Matrix<Scalar>* x = &p.saved.target.input;                                           // (N_t, d)

  for (std::size_t i = 0; i < p.model.decoder_layers.size(); ++i) {
    const DecoderLayer<Scalar>& layer = p.model.decoder_layers[i];
    DecoderLayerSaved<Scalar>& s = p.saved.decoder_layers[i];
    const Probe<T> at = p.probe(Side::target, chunk).inside("decoder.layers", i);

    // Self-attention over what has been written, Add & Norm.
    const AddNormPart part1 = p.add_norm(Side::target, chunk, i, DropoutPlace::self_output);
    const AttentionPart heads = p.attention(p.saved.decoder_plan, chunk, i, DropoutPlace::self_weights);
    before<Scalar>(layer.norm1, part1, rows(*x), s.add_norm1, "norm1", at);
    attend<Scalar>(layer.self_attention, heads, rows(sublayer_input(pre_norm, *x, s.add_norm1)), nullptr,
                   s.self_attention, rows(branch(pre_norm, s.add_norm1)), at.inside("self_attn"));
    after<Scalar>(layer.norm1, part1, rows(*x), s.add_norm1, {"norm1", "residual1"}, at);
    x = &result(pre_norm, s.add_norm1);

    // Cross-attention over the encoder's memory, Add & Norm.
    const AddNormPart part2 = p.add_norm(Side::target, chunk, i, DropoutPlace::cross_output);
    const AttentionPart cross = p.attention(p.saved.cross_plan, chunk, i, DropoutPlace::cross_weights);
    before<Scalar>(layer.norm2, part2, rows(*x), s.add_norm2, "norm2", at);
    attend<Scalar>(layer.cross_attention, cross, rows(sublayer_input(pre_norm, *x, s.add_norm2)), &memory,
                   s.cross_attention, rows(branch(pre_norm, s.add_norm2)), at.inside("cross_attn"));
    after<Scalar>(layer.norm2, part2, rows(*x), s.add_norm2, {"norm2", "residual2"}, at);
    x = &result(pre_norm, s.add_norm2);

    // Feed-forward, Add & Norm.
    const AddNormPart part3 = p.add_norm(Side::target, chunk, i, DropoutPlace::output);
    before<Scalar>(layer.norm3, part3, rows(*x), s.add_norm3, "norm3", at);
    feed_forward<Scalar>(layer.feed_forward, rows(sublayer_input(pre_norm, *x, s.add_norm3)),
                         p.dropout(Side::target, i, DropoutPlace::hidden), s.feed_forward,
                         rows(branch(pre_norm, s.add_norm3)), at.inside("feed_forward"));
    after<Scalar>(layer.norm3, part3, rows(*x), s.add_norm3, {"norm3", "residual3"}, at);
    x = &result(pre_norm, s.add_norm3);
    at.rows("output", rows(*x));
  }
  finish_stack(p, Side::target, chunk, *x);
}

// logits = x Wp^T + bp
template <class Scalar, class T>
void write_logits(const Pass<Scalar, T>& p, const Chunk& chunk) {
  auto logits = p.part(Side::target, chunk, p.saved.logits);  // (n, V_t)
  project<Scalar>(p.part(Side::target, chunk, *p.saved.decoder_output), p.model.projection(), logits);
  if (p.model.config.output_bias) logits.rowwise() += p.model.output_projection.bias;
  p.probe(Side::target, chunk).rows("logits", logits);
}

template <class Scalar, class T>
void run_encoder(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap) {
  prepare_forward(model, batch, saved);
  const Pass<Scalar, T> pass{model, batch, saved, tap};
  for_each_chunk<T>(saved, [&](const Chunk& chunk) {
    embed_tokens(pass, Side::source, chunk);
    encode(pass, chunk);
  });
}

template <class Scalar, class T>
void run_forward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap) {
  prepare_forward(model, batch, saved);
  const Pass<Scalar, T> pass{model, batch, saved, tap};
  for_each_chunk<T>(saved, [&](const Chunk& chunk) {
    embed_tokens(pass, Side::source, chunk);
    encode(pass, chunk);
    embed_tokens(pass, Side::target, chunk);
    decode(pass, chunk);
    write_logits(pass, chunk);
  });
}

// ---- the loss

// What only those who look in want to see; the logits are still whole.
template <class Scalar, class T>
void tell_loss(const Pass<Scalar, T>& p, const Chunk& chunk, const CrossEntropyOptions& options) {
  const double smoothing = options.smoothing;
  Probe<T> at = p.probe(Side::target, chunk);
  const auto logits = p.part(Side::target, chunk, p.saved.logits);  // (n, V_t)
  const auto classes = static_cast<Scalar>(logits.cols());
  Matrix<Scalar> log_probabilities = logits;            // (n, V_t)
  Matrix<Scalar> target(logits.rows(), logits.cols());  // (n, V_t)
  Matrix<Scalar> token_loss = Matrix<Scalar>::Zero(logits.rows(), 1);
  target.setConstant(static_cast<Scalar>(smoothing) / classes);
  for (Eigen::Index i = 0; i < logits.rows(); ++i) {
    auto row = log_probabilities.row(i);
    row.array() -= row.maxCoeff();
    row.array() -= std::log(row.array().exp().sum());
    const int word = p.batch.target_out.id(chunk.first_target + static_cast<int>(i));
    if (word == p.model.config.pad_id) {
      target.row(i).setZero();
      continue;
    }
    target(i, word) += static_cast<Scalar>(1 - smoothing);
    token_loss(i, 0) = -row.dot(target.row(i));
  }
  at.rows("log_probabilities", log_probabilities);
  at.rows("smoothed_target", target);
  at.per_row("token_loss", token_loss);
  if (options.gradient_scale == 0) return;

  // The loss is the mean of the tokens' losses, and each of these a sum of target * -log p.
  const auto share = static_cast<Scalar>(options.gradient_scale);
  at.gradient = true;
  for (Eigen::Index i = 0; i < logits.rows(); ++i) {
    const int word = p.batch.target_out.id(chunk.first_target + static_cast<int>(i));
    token_loss(i, 0) = word == p.model.config.pad_id ? Scalar{0} : share;
  }
  target *= -share;
  at.per_row("token_loss", token_loss);
  at.rows("log_probabilities", target);
}

template <class Scalar, class T>
Loss run_loss(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
              const LossOptions& options, T& tap) {
  const Pass<Scalar, T> pass{model, batch, saved, tap};
  const long words = options.words > 0 ? options.words : batch.target_words(model.config.pad_id);
  CrossEntropyOptions each;
  each.smoothing = options.smoothing;
  each.pad_id = model.config.pad_id;
  each.softmax_twice = batch.rules.softmax_twice;
  each.gradient_scale = options.gradient ? 1.0 / static_cast<double>(std::max(words, 1L)) : 0;

  saved.losses.resize(saved.chunks.size());
  for_each_chunk<T>(saved, [&](const Chunk& chunk) {
    if constexpr (T::kActive) tell_loss(pass, chunk, each);
    const auto wanted = batch.target_out.ids().subspan(static_cast<std::size_t>(chunk.first_target),
                                                       static_cast<std::size_t>(chunk.target_rows));
    saved.losses[static_cast<std::size_t>(&chunk - saved.chunks.data())] =
        cross_entropy<Scalar>(pass.part(Side::target, chunk, saved.logits), wanted, each);
  });
  LossSums sums;
  for (const LossSums& part : saved.losses) sums.add(part);
  return mean_of(sums, options.smoothing, model.config.target_vocab);
}

}  // namespace

template <class Scalar>
void Transformer<Scalar>::forward(const Batch& batch, Saved<Scalar>& saved) const {
  NoTap nobody;
  run_forward(*this, batch, saved, nobody);
}

template <class Scalar>
void Transformer<Scalar>::forward(const Batch& batch, Saved<Scalar>& saved, Tap<Scalar>& tap) const {
  run_forward(*this, batch, saved, tap);
}

template <class Scalar>
void Transformer<Scalar>::encode(const Batch& batch, Saved<Scalar>& saved) const {
  NoTap nobody;
  run_encoder(*this, batch, saved, nobody);
}

template <class Scalar>
void Transformer<Scalar>::encode(const Batch& batch, Saved<Scalar>& saved, Tap<Scalar>& tap) const {
  run_encoder(*this, batch, saved, tap);
}

template <class Scalar>
void decode_on(const Transformer<Scalar>& model, const Matrix<Scalar>& memory, const Batch& batch,
               Saved<Scalar>& saved) {
  prepare_forward(model, batch, saved);
  saved.memory = &memory;
  NoTap nobody;
  const Pass<Scalar, NoTap> pass{model, batch, saved, nobody};
  for_each_chunk<NoTap>(saved, [&](const Chunk& chunk) {
    embed_tokens(pass, Side::target, chunk);
    decode(pass, chunk);
  });
}

template <class Scalar>
Loss Transformer<Scalar>::loss(const Batch& batch, Saved<Scalar>& saved, const LossOptions& options) const {
  NoTap nobody;
  return run_loss(*this, batch, saved, options, nobody);
}

template <class Scalar>
Loss Transformer<Scalar>::loss(const Batch& batch, Saved<Scalar>& saved, const LossOptions& options,
                               Tap<Scalar>& tap) const {
  return run_loss(*this, batch, saved, options, tap);
}

#define GLASSFORMER_FORWARD(Scalar)                                                                         \
  template void Transformer<Scalar>::encode(const Batch&, Saved<Scalar>&) const;                            \
  template void Transformer<Scalar>::encode(const Batch&, Saved<Scalar>&, Tap<Scalar>&) const;              \
  template void decode_on(const Transformer<Scalar>&, const Matrix<Scalar>&, const Batch&, Saved<Scalar>&); \
  template void Transformer<Scalar>::forward(const Batch&, Saved<Scalar>&) const;                           \
  template void Transformer<Scalar>::forward(const Batch&, Saved<Scalar>&, Tap<Scalar>&) const;             \
  template Loss Transformer<Scalar>::loss(const Batch&, Saved<Scalar>&, const LossOptions&) const;          \
  template Loss Transformer<Scalar>::loss(const Batch&, Saved<Scalar>&, const LossOptions&, Tap<Scalar>&)   \
      const;
GLASSFORMER_FORWARD(float)
GLASSFORMER_FORWARD(double)

}  // namespace glassformer
