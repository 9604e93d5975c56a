#include "engine/model/optimizer.h"

#include <algorithm>
#include <cmath>

#include "engine/math/work_profile.h"
#include "engine/math/worker_pool.h"

namespace glassformer {
namespace {

template <class Scalar>
double square_sum(const Scalar* values, std::size_t count) {
  const Doing doing(Work::adam);
  using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  return Eigen::Map<const Array>(values, static_cast<Eigen::Index>(count))
      .template cast<double>()
      .square()
      .sum();
}

double norm_of(const std::vector<double>& squares) {
  double sum = 0;
  for (const double part : squares) sum += part;
  return std::sqrt(sum);
}

}  // namespace

template <class Scalar>
Optimizer<Scalar>::Optimizer(const Tensors& weights, const std::vector<Parameter<const Scalar>>& gradient,
                             const Tensors& first_moment, const Tensors& second_moment,
                             std::size_t tile_size) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (std::size_t first = 0; first < weights[i].size();) {
      const std::size_t count = std::min(tile_size, weights[i].size() - first);
      tiles_.push_back({weights[i].data + first, gradient[i].data + first, first_moment[i].data + first,
                        second_moment[i].data + first, count});
      first += count;
    }
  }
  squares_.resize(tiles_.size());
}

template <class Scalar>
double Optimizer<Scalar>::gradient_norm(WorkerPool* pool) {
  run_on(pool, static_cast<int>(tiles_.size()), [&](int index) {
    const Tile& tile = tiles_[static_cast<std::size_t>(index)];
    squares_[static_cast<std::size_t>(index)] = square_sum(tile.gradient, tile.count);
  });
  return norm_of(squares_);
}

template <class Scalar>
void Optimizer<Scalar>::step(const AdamStep& step, WorkerPool* pool) {
  run_on(pool, static_cast<int>(tiles_.size()), [&](int index) {
    const Tile& tile = tiles_[static_cast<std::size_t>(index)];
    adam_update(tile.weights, tile.gradient, tile.first_moment, tile.second_moment, tile.count, step);
  });
}

template <class Scalar>
double gradient_norm(const Transformer<Scalar>& gradient, WorkerPool* pool) {
  struct Stretch {
    const Scalar* data;
    std::size_t count;
  };
  constexpr std::size_t kTile = Optimizer<Scalar>::kTileSize;
  std::vector<Stretch> tiles;
  for (const auto& tensor : tensors_of<const Scalar>(gradient)) {
    for (std::size_t first = 0; first < tensor.size(); first += kTile)
      tiles.push_back({tensor.data + first, std::min(kTile, tensor.size() - first)});
  }
  std::vector<double> squares(tiles.size());
  run_on(pool, static_cast<int>(tiles.size()), [&](int index) {
    const Stretch& tile = tiles[static_cast<std::size_t>(index)];
    squares[static_cast<std::size_t>(index)] = square_sum(tile.data, tile.count);
  });
  return norm_of(squares);
}

template <class Scalar>
void adam_step(Transformer<Scalar>& weights, const Transformer<Scalar>& gradient,
               Transformer<Scalar>& first_moment, Transformer<Scalar>& second_moment, const AdamStep& step,
               WorkerPool* pool) {
  Optimizer<Scalar>(weights, gradient, first_moment, second_moment).step(step, pool);
}

#define GLASSFORMER_OPTIMIZER(Scalar)                                                             \
  template class Optimizer<Scalar>;                                                               \
  template double gradient_norm(const Transformer<Scalar>&, WorkerPool*);                         \
  template void adam_step(Transformer<Scalar>&, const Transformer<Scalar>&, Transformer<Scalar>&, \
                          Transformer<Scalar>&, const AdamStep&, WorkerPool*);
GLASSFORMER_OPTIMIZER(float)
GLASSFORMER_OPTIMIZER(double)

}  // namespace glassformer
