// The decoder alone, for those who read one memory many times.
#pragma once

#include "engine/model/transformer.h"

namespace glassformer {

// On the memory (N_s, d) of an encode() before: saved.decoder_output (N_t, d). The memory must outlive what
// is read of `saved`. No logits and no backward pass.
template <class Scalar>
void decode_on(const Transformer<Scalar>& model, const Matrix<Scalar>& memory, const Batch& batch,
               Saved<Scalar>& saved);

}  // namespace glassformer
