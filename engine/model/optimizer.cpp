#include "engine/model/optimizer.h"

#include <algorithm>
#include <cmath>

#include "engine/math/work_profile.h"
#include "engine/math/worker_pool.h"

namespace glassformer {
namespace {

constexpr std::size_t kTileSize = 1 << 15;  // numbers

// One stretch of one tensor, by its place in the list of all tensors.
struct Tile {
  std::size_t tensor = 0, first = 0, count = 0;
};

template <class S, class Model>
std::vector<Parameter<S>> tensors_of(Model& model) {
  std::vector<Parameter<S>> tensors;
  model.visit([&](const std::string&, Parameter<S> tensor) { tensors.push_back(tensor); });
  return tensors;
}

template <class S>
std::vector<Tile> tiles_of(const std::vector<Parameter<S>>& tensors) {
  std::vector<Tile> tiles;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (std::size_t first = 0; first < tensors[i].size(); first += kTileSize) {
      tiles.push_back({i, first, std::min(kTileSize, tensors[i].size() - first)});
    }
  }
  return tiles;
}

}  // namespace

template <class Scalar>
double gradient_norm(const Transformer<Scalar>& gradient, WorkerPool* pool) {
  const auto tensors = tensors_of<const Scalar>(gradient);
  const std::vector<Tile> tiles = tiles_of(tensors);
  std::vector<double> sums(tiles.size());
  run_on(pool, static_cast<int>(tiles.size()), [&](int index) {
    const Doing doing(Work::adam);
    const Tile& tile = tiles[static_cast<std::size_t>(index)];
    using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
    const auto count = static_cast<Eigen::Index>(tile.count);
    const Eigen::Map<const Array> values(tensors[tile.tensor].data + tile.first, count);
    sums[static_cast<std::size_t>(index)] = values.template cast<double>().square().sum();
  });
  double sum = 0;
  for (const double part : sums) sum += part;
  return std::sqrt(sum);
}

template <class Scalar>
void adam_step(Transformer<Scalar>& weights, const Transformer<Scalar>& gradient,
               Transformer<Scalar>& first_moment, Transformer<Scalar>& second_moment, const AdamStep& step,
               WorkerPool* pool) {
  const auto w = tensors_of<Scalar>(weights);
  const auto g = tensors_of<const Scalar>(gradient);
  const auto m = tensors_of<Scalar>(first_moment);
  const auto v = tensors_of<Scalar>(second_moment);
  const std::vector<Tile> tiles = tiles_of(w);
  run_on(pool, static_cast<int>(tiles.size()), [&](int index) {
    const Tile& tile = tiles[static_cast<std::size_t>(index)];
    adam_update(w[tile.tensor].data + tile.first, g[tile.tensor].data + tile.first,
                m[tile.tensor].data + tile.first, v[tile.tensor].data + tile.first, tile.count, step);
  });
}

template double gradient_norm(const Transformer<float>&, WorkerPool*);
template double gradient_norm(const Transformer<double>&, WorkerPool*);
template void adam_step(Transformer<float>&, const Transformer<float>&, Transformer<float>&,
                        Transformer<float>&, const AdamStep&, WorkerPool*);
template void adam_step(Transformer<double>&, const Transformer<double>&, Transformer<double>&,
                        Transformer<double>&, const AdamStep&, WorkerPool*);

}  // namespace glassformer
