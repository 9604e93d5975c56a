// A pass, from ids to logits and loss and back again; the stacks between: stack.cpp. What flows back to the
// inputs is computed chunk by chunk; the gradients of the weights are sums over all tokens and are taken
// together at the end, tile by tile.
#include "engine/model/pass.h"

#include <algorithm>
#include <cmath>

#include "engine/layers/embedding.h"
#include "engine/model/decoder_pass.h"

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
    if (!given.unchanged()) positions = &s.positions;
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

// What each place's row hands back, over all sentences: for taps alone.
template <class Scalar, class T>
void record_positions(const Pass<Scalar, T>& p, Side side) {
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

// logits = x Wp^T + bp
template <class Scalar, class T>
void write_logits(const Pass<Scalar, T>& p, const Chunk& chunk) {
  auto logits = p.part(Side::target, chunk, p.saved.logits);  // (n, V_t)
  project<Scalar>(p.part(Side::target, chunk, *p.saved.decoder_output), p.model.projection(), logits);
  if (p.model.config.output_bias) logits.rowwise() += p.model.output_projection.bias;
  p.probe(Side::target, chunk).rows("logits", logits);
}

template <class Scalar, class T>
void logits_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  auto d_logits = p.part(Side::target, chunk, p.saved.logits);  // (n, V_t)
  auto d = p.part(Side::target, chunk, p.saved.target.d);       // (n, d)
  p.probe(Side::target, chunk).rows("logits", d_logits);
  project_backward<Scalar>(d_logits, p.model.projection(), d);
}

// ---- the loss

template <class Scalar, class T>
CrossEntropyOptions of_a_token(const Pass<Scalar, T>& p, const LossOptions& options) {
  const int pad_id = p.model.config.pad_id;
  const long words = options.words > 0 ? options.words : p.batch.target_words(pad_id);
  return {.smoothing = options.smoothing,
          .pad_id = pad_id,
          .gradient_scale = options.gradient ? 1.0 / static_cast<double>(std::max(words, 1L)) : 0,
          .softmax_twice = p.batch.rules.softmax_twice};
}

template <class Scalar, class T>
void take_loss(const Pass<Scalar, T>& p, const Chunk& chunk, const CrossEntropyOptions& options) {
  const auto wanted = p.batch.target_out.ids().subspan(static_cast<std::size_t>(chunk.first_target),
                                                       static_cast<std::size_t>(chunk.target_rows));
  p.saved.losses[static_cast<std::size_t>(p.index(chunk))] =
      cross_entropy<Scalar>(p.part(Side::target, chunk, p.saved.logits), wanted, options);
}

// For taps alone; the logits are still whole.
template <class Scalar, class T>
void record_loss(const Pass<Scalar, T>& p, const Chunk& chunk, const CrossEntropyOptions& options) {
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

// ---- a chunk from one end to the other

template <class Scalar, class T>
void go_forward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  embed_tokens(p, Side::source, chunk);
  encode(p, chunk);
  embed_tokens(p, Side::target, chunk);
  decode(p, chunk);
  write_logits(p, chunk);
}

template <class Scalar, class T>
void go_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  logits_backward(p, chunk);
  decode_backward(p, chunk);
  embed_backward(p, Side::target, chunk);
  encode_backward(p, chunk);
  embed_backward(p, Side::source, chunk);
}

}  // namespace

template <class Scalar, class T>
void run_encoder(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap) {
  prepare_forward(model, batch, saved, EncoderMemory::of_one_layer);
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
  for_each_chunk<T>(saved, [&](const Chunk& chunk) { go_forward(pass, chunk); });
}

template <class Scalar, class T>
Loss run_loss(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
              const LossOptions& options, T& tap) {
  const Pass<Scalar, T> pass{model, batch, saved, tap};
  const CrossEntropyOptions each = of_a_token(pass, options);
  saved.losses.resize(saved.chunks.size());
  for_each_chunk<T>(saved, [&](const Chunk& chunk) {
    if constexpr (T::kActive) record_loss(pass, chunk, each);
    take_loss(pass, chunk, each);
  });
  LossSums sums;
  for (const LossSums& part : saved.losses) sums.add(part);
  return mean_of(sums, options.smoothing, model.config.target_vocab);
}

template <class Scalar, class T>
void run_backward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap) {
  prepare_backward(model, saved);
  const Pass<Scalar, T> pass{model, batch, saved, tap, true};
  for_each_chunk<T>(saved, [&](const Chunk& chunk) { go_backward(pass, chunk); });
  record_positions(pass, Side::source);
  record_positions(pass, Side::target);
}

template <class Scalar>
void run_training(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                  const LossOptions& options) {
  prepare_forward(model, batch, saved);
  prepare_backward(model, saved);
  NoTap nobody;
  const Pass<Scalar, NoTap> pass{model, batch, saved, nobody, true};
  const CrossEntropyOptions each = of_a_token(pass, options);
  saved.losses.resize(saved.chunks.size());
  for_each_chunk<NoTap>(saved, [&](const Chunk& chunk) {
    go_forward(pass, chunk);
    take_loss(pass, chunk, each);
    go_backward(pass, chunk);
  });
}

template <class Scalar>
void decode_on(const Transformer<Scalar>& model, const Matrix<Scalar>& memory, const Batch& batch,
               Saved<Scalar>& saved, int from, const Matrix<Scalar>* stream) {
  prepare_forward(model, batch, saved, EncoderMemory::of_one_layer);
  saved.memory = &memory;
  NoTap nobody;
  const Pass<Scalar, NoTap> pass{model, batch, saved, nobody};
  for_each_chunk<NoTap>(saved, [&](const Chunk& chunk) {
    if (stream == nullptr)
      embed_tokens(pass, Side::target, chunk);
    else
      pass.part(Side::target, chunk, saved.target.input) = pass.part(Side::target, chunk, *stream);
    decode(pass, chunk, from);
  });
}

template <class Scalar>
const Matrix<Scalar>& stream_before(const Transformer<Scalar>& model, int sub_block, Saved<Scalar>& saved) {
  const int past = sub_block - 1;
  DecoderLayerSaved<Scalar>& layer = saved.decoder_layers[static_cast<std::size_t>(past / kDecoderSubBlocks)];
  AddNormSaved<Scalar>* const of_layer[] = {&layer.add_norm1, &layer.add_norm2, &layer.add_norm3};
  return result(model.config.norm == NormPlace::pre, *of_layer[past % kDecoderSubBlocks]);
}

#define GLASSFORMER_PASS(Scalar, T)                                                                         \
  template void run_encoder(const Transformer<Scalar>&, const Batch&, Saved<Scalar>&, T&);                  \
  template void run_forward(const Transformer<Scalar>&, const Batch&, Saved<Scalar>&, T&);                  \
  template Loss run_loss(const Transformer<Scalar>&, const Batch&, Saved<Scalar>&, const LossOptions&, T&); \
  template void run_backward(const Transformer<Scalar>&, const Batch&, Saved<Scalar>&, T&);
GLASSFORMER_PASS(float, NoTap)
GLASSFORMER_PASS(float, Tap<float>)
GLASSFORMER_PASS(double, NoTap)
GLASSFORMER_PASS(double, Tap<double>)
template void run_training(const Transformer<float>&, const Batch&, Saved<float>&, const LossOptions&);
template void run_training(const Transformer<double>&, const Batch&, Saved<double>&, const LossOptions&);

#define GLASSFORMER_DECODER_PASS(Scalar)                                                                   \
  template void decode_on(const Transformer<Scalar>&, const Matrix<Scalar>&, const Batch&, Saved<Scalar>&, \
                          int, const Matrix<Scalar>*);                                                     \
  template const Matrix<Scalar>& stream_before(const Transformer<Scalar>&, int, Saved<Scalar>&);
GLASSFORMER_DECODER_PASS(float)
GLASSFORMER_DECODER_PASS(double)

}  // namespace glassformer
