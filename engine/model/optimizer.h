// The step from gradients to new weights, over all tensors of a model at once. Tiles are shared out among
// threads; the result does not depend on how many.
#pragma once

#include "engine/layers/adam.h"
#include "engine/model/transformer.h"

namespace glassformer {

// The L2 norm of all gradients together, a shared matrix counted once. NaN or infinity when a gradient is.
template <class Scalar>
double gradient_norm(const Transformer<Scalar>& gradient, WorkerPool* pool = nullptr);

template <class Scalar>
void adam_step(Transformer<Scalar>& weights, const Transformer<Scalar>& gradient,
               Transformer<Scalar>& first_moment, Transformer<Scalar>& second_moment, const AdamStep& step,
               WorkerPool* pool = nullptr);

}  // namespace glassformer
