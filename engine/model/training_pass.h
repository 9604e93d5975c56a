// Loss and gradient of a batch, the heart of a training step.
#pragma once

#include "engine/model/transformer.h"

namespace glassformer {

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
