// The step from gradients to new weights, over all tensors of a model at once. Tiles are shared out among
// threads; the result does not depend on how many.
#pragma once

#include <string>
#include <vector>

#include "engine/layers/adam.h"
#include "engine/model/transformer.h"

namespace glassformer {

template <class S, class Model>
std::vector<Parameter<S>> tensors_of(Model& model) {
  std::vector<Parameter<S>> tensors;
  model.visit([&](const std::string&, Parameter<S> tensor) { tensors.push_back(tensor); });
  return tensors;
}

// For training: knows where all the numbers are, so that a step allocates nothing. The four models must
// have the same configuration and stay where they are.
template <class Scalar>
class Optimizer {
 public:
  static constexpr std::size_t kTileSize = 1 << 15;  // numbers

  // Of models of any kind. The sizes of the tiles decide how the sum of the squares is rounded.
  template <class Model>
  Optimizer(Model& weights, const Model& gradient, Model& first_moment, Model& second_moment,
            std::size_t tile_size = kTileSize)
      : Optimizer(tensors_of<Scalar>(weights), tensors_of<const Scalar>(gradient),
                  tensors_of<Scalar>(first_moment), tensors_of<Scalar>(second_moment), tile_size) {}

  // The L2 norm of all gradients together, a shared matrix counted once. NaN or infinity when a gradient is.
  double gradient_norm(WorkerPool* pool = nullptr);

  void step(const AdamStep& step, WorkerPool* pool = nullptr);

 private:
  using Tensors = std::vector<Parameter<Scalar>>;
  Optimizer(const Tensors& weights, const std::vector<Parameter<const Scalar>>& gradient,
            const Tensors& first_moment, const Tensors& second_moment, std::size_t tile_size);

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
