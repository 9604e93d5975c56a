// The step from gradients to new weights, over all tensors of a model at once. Tiles are shared out among
// threads; the result does not depend on how many.
#pragma once

#include <vector>

#include "engine/layers/adam.h"
#include "engine/model/transformer.h"

namespace glassformer {

// For training: knows where all the numbers stand, so that a step allocates nothing. The four models must
// have the same configuration and stay where they are.
template <class Scalar>
class Optimizer {
 public:
  Optimizer(Transformer<Scalar>& weights, const Transformer<Scalar>& gradient,
            Transformer<Scalar>& first_moment, Transformer<Scalar>& second_moment);

  // The L2 norm of all gradients together, a shared matrix counted once. NaN or infinity when a gradient is.
  double gradient_norm(WorkerPool* pool = nullptr);

  void step(const AdamStep& step, WorkerPool* pool = nullptr);

 private:
  struct Tile {  // one stretch of one tensor
    Scalar* weights;
    const Scalar* gradient;
    Scalar *first_moment, *second_moment;
    std::size_t count;
  };
  std::vector<Tile> tiles_;
  std::vector<double> squares_;  // of each tile's gradient
};

// The same once.
template <class Scalar>
double gradient_norm(const Transformer<Scalar>& gradient, WorkerPool* pool = nullptr);
template <class Scalar>
void adam_step(Transformer<Scalar>& weights, const Transformer<Scalar>& gradient,
               Transformer<Scalar>& first_moment, Transformer<Scalar>& second_moment, const AdamStep& step,
               WorkerPool* pool = nullptr);

}  // namespace glassformer
