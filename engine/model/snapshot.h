// The weights of a model at one training step.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "engine/model/config.h"

namespace glassformer {

template <class Scalar>
class Transformer;
template <class Scalar>
struct Saved;

// What belongs to a kind of model: its configuration, and the memory of one pass.
template <class Model>
struct KindOf;
template <class Scalar>
struct KindOf<Transformer<Scalar>> {
  using Config = glassformer::Config;
  using Saved = glassformer::Saved<Scalar>;
};
template <class Model>
using ConfigOf = typename KindOf<Model>::Config;
// These alone have parts to look at, vectors to begin with, and dropout.
template <class Model>
inline constexpr bool kIsTransformer = std::is_same_v<Model, Transformer<float>>;

// Weights at one training step, never changed after they were made: safe to hand between threads.
template <class Model>
struct SnapshotOf {
  ConfigOf<Model> config;
  std::shared_ptr<const Model> weights;
  std::shared_ptr<const Model> gradients;      // of the last batch; null when not kept
  std::shared_ptr<const Model> first_moment;   // Adam's m; null when not kept
  std::shared_ptr<const Model> second_moment;  // Adam's v; null when not kept
  long step = 0;
  long moments_from = 0;       // the step at which Adam's moments were last 0
  double validation_loss = 0;  // NaN when unknown
};
using Snapshot = SnapshotOf<Transformer<float>>;

}  // namespace glassformer
