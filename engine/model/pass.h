// What the forward and the backward pass share: where a chunk's rows are and what each place in the model
// is called. Internal to engine/model.
#pragma once

#include "engine/math/random.h"
#include "engine/math/worker_pool.h"
#include "engine/model/transformer.h"

namespace glassformer {

// Numbers for the places where dropout happens, so that no two drop alike.
enum class DropoutPlace : std::uint64_t {
  embedding,
  self_weights,
  self_output,
  cross_weights,
  cross_output,
  hidden,
  output
};

template <class Scalar, class T>
struct Pass {
  const Transformer<Scalar>& model;
  const Batch& batch;
  Saved<Scalar>& saved;
  T& tap;
  bool gradient = false;

  bool pre_norm() const { return model.config.norm == NormPlace::pre; }
  int first(Side side, const Chunk& chunk) const {
    return side == Side::source ? chunk.first_source : chunk.first_target;
  }
  int rows(Side side, const Chunk& chunk) const {
    return side == Side::source ? chunk.source_rows : chunk.target_rows;
  }
  int index(const Chunk& chunk) const { return static_cast<int>(&chunk - saved.chunks.data()); }
  const GivenPositions& positions(Side side) const {
    return side == Side::source ? batch.rules.source_positions : batch.rules.target_positions;
  }
  SideSaved<Scalar>& values(Side side) const { return side == Side::source ? saved.source : saved.target; }

  // The chunk's rows of a matrix that holds those of the whole batch.
  auto part(Side side, const Chunk& chunk, Matrix<Scalar>& all) const {
    return all.middleRows(first(side, chunk), rows(side, chunk));
  }
  auto part(Side side, const Chunk& chunk, const Matrix<Scalar>& all) const {
    return all.middleRows(first(side, chunk), rows(side, chunk));
  }

  Probe<T> probe(Side side, const Chunk& chunk) const {
    return {tap, gradient, side, first(side, chunk), {}};
  }
  Dropout dropout(Side side, std::size_t layer, DropoutPlace place) const {
    const bool weights = place == DropoutPlace::self_weights || place == DropoutPlace::cross_weights;
    const double p = weights && saved.attention_dropout >= 0 ? saved.attention_dropout : saved.dropout;
    if (p <= 0) return {};
    const auto pass = (static_cast<std::uint64_t>(saved.part) << 48) + static_cast<std::uint64_t>(saved.step);
    const Dropout step{p, derive_seed(saved.seed, pass)};
    const std::uint64_t layer_place =
        2 * static_cast<std::uint64_t>(layer) + static_cast<std::uint64_t>(side);
    return step.at(16 * layer_place + static_cast<std::uint64_t>(place));
  }

  AttentionPart attention(const AttentionPlan& plan, const Chunk& chunk, std::size_t layer,
                          DropoutPlace place) const {
    AttentionPart part;
    part.plan = &plan;
    part.first_sentence = chunk.first_sentence;
    part.sentences = chunk.sentences;
    part.first_query = first(plan.query_side, chunk);
    part.queries = rows(plan.query_side, chunk);
    part.first_key = first(plan.key_side, chunk);
    part.keys = rows(plan.key_side, chunk);
    part.chunk = index(chunk);
    part.dropout = dropout(plan.query_side, layer, place);
    return part;
  }

  AddNormPart add_norm(Side side, const Chunk& chunk, std::size_t layer, DropoutPlace place) const {
    AddNormPart part;
    part.first = first(side, chunk);
    part.rows = rows(side, chunk);
    part.chunk = index(chunk);
    part.pre_norm = pre_norm();
    part.eps = model.config.layer_norm_eps;
    part.dropout = dropout(side, layer, place);
    return part;
  }
};

// Chunks on the pool; one after another on this thread when somebody looks in.
template <class T, class Scalar, class Work>
void for_each_chunk(const Saved<Scalar>& saved, Work&& work) {
  WorkerPool* pool = T::kActive ? nullptr : saved.pool;
  run_on(pool, static_cast<int>(saved.chunks.size()),
         [&](int index) { work(saved.chunks[static_cast<std::size_t>(index)]); });
}

// Whether the values of every layer are kept, for a way back, or one layer's memory serves them all.
enum class EncoderMemory { of_every_layer, of_one_layer };

// Checks the batch and lays out the memory of a forward pass.
template <class Scalar>
void prepare_forward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                     EncoderMemory encoder = EncoderMemory::of_every_layer);
template <class Scalar>
void prepare_backward(const Transformer<Scalar>& model, Saved<Scalar>& saved);

// The passes of transformer.h, for who looks in (a Tap) and who does not (NoTap).
template <class Scalar, class T>
void run_encoder(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap);
template <class Scalar, class T>
void run_forward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap);
template <class Scalar, class T>
Loss run_loss(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
              const LossOptions& options, T& tap);
template <class Scalar, class T>
void run_backward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved, T& tap);

// The same three one after another for each chunk, whose values are then still near: saved.losses, and what
// add_weight_gradients() wants.
template <class Scalar>
void run_training(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                  const LossOptions& options);

// One chunk through a stack, from values(side).input, and back to the gradient of that in values(side).d.
template <class Scalar, class T>
void encode(const Pass<Scalar, T>& pass, const Chunk& chunk);
template <class Scalar, class T>
void decode(const Pass<Scalar, T>& pass, const Chunk& chunk, int from = 0);  // its sub-block
template <class Scalar, class T>
void encode_backward(const Pass<Scalar, T>& pass, const Chunk& chunk);
template <class Scalar, class T>
void decode_backward(const Pass<Scalar, T>& pass, const Chunk& chunk);  // adds up the memory's gradient

// The last part of a backward pass: the gradients of all weights from what the chunks left behind.
template <class Scalar>
void add_weight_gradients(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                          Transformer<Scalar>& gradient, bool add);

}  // namespace glassformer
