// The decoder alone, for those who read one memory many times, or change its later sub-blocks alone.
#pragma once

#include "engine/model/transformer.h"

namespace glassformer {

inline constexpr int kDecoderSubBlocks = 3;  // a layer: self-attention, cross-attention, feed-forward

// On the memory (N_s, d) of an encode() before: saved.decoder_output (N_t, d). The memory must outlive what
// is read of `saved`. No logits and no backward pass. A pass may begin behind the embedding: `stream` (N_t,
// d) is what comes to sub-block `from`, counted over all layers.
template <class Scalar>
void decode_on(const Transformer<Scalar>& model, const Matrix<Scalar>& memory, const Batch& batch,
               Saved<Scalar>& saved, int from = 0, const Matrix<Scalar>* stream = nullptr);
// The stream that came to a sub-block, one that the last decode_on() went through and not the first of all:
// (N_t, d), or more rows.
template <class Scalar>
const Matrix<Scalar>& stream_before(const Transformer<Scalar>& model, int sub_block, Saved<Scalar>& saved);

}  // namespace glassformer
