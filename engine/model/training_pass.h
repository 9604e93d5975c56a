// The decoder alone, for those who read one memory many times.
#pragma once

#include "engine/model/transformer.h"

namespace glassformer {

// On the memory (N_s, d) of an encode() before: saved.decoder_output (N_t, d). The memory must outlive what
// is read of `saved`. No logits and no backward pass.
template <class Scalar>
void decode_on(const Transformer<Scalar>& model, const Matrix<Scalar>& memory, const Batch& batch,
               Saved<Scalar>& saved);

// Loss and gradient of a batch, the heart of a training step.

// forward, loss and backward: fills `gradient`. A batch of more than some 2 000 tokens goes through the model
// in parts one after another, whose gradients add up, so that the memory of a pass stays bounded; their
// borders depend on the batch alone. saved.logits and all other values are then those of the last part. When
// the loss is not finite, what is in `gradient` is of no use.
template <class Scalar>
Loss training_pass(const Transformer<Scalar>& model, const Batch& batch, double smoothing,
                   Saved<Scalar>& saved, Transformer<Scalar>& gradient);

// Sentences [first, last) of a batch.
void copy_sentences(const Batch& batch, int first, int last, Batch& part);

}  // namespace glassformer
