#include "engine/layers/adam.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "engine/math/work_profile.h"

namespace glassformer {

template <class Scalar>
void adam_update(Scalar* weights, const Scalar* gradient, Scalar* first_moment, Scalar* second_moment,
                 std::size_t size, const AdamStep& step) {
  const Doing doing(Work::adam);
  const auto s = static_cast<double>(step.step);
  const double correction1 = 1 - std::pow(step.options.beta1, s);
  const double correction2 = 1 - std::pow(step.options.beta2, s);
  const auto b1 = static_cast<Scalar>(step.options.beta1),
             rest1 = static_cast<Scalar>(1 - step.options.beta1);
  const auto b2 = static_cast<Scalar>(step.options.beta2),
             rest2 = static_cast<Scalar>(1 - step.options.beta2);
  const auto scale = static_cast<Scalar>(step.gradient_scale);
  const auto pace = static_cast<Scalar>(step.rate / correction1);
  const auto root = static_cast<Scalar>(1 / std::sqrt(correction2));
  const auto eps = static_cast<Scalar>(step.options.eps);

  using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  const auto n = static_cast<Eigen::Index>(size);
  constexpr Eigen::Index kTile = 1024;  // the four stretches stay in the nearest cache between the lines
  for (Eigen::Index i = 0; i < n; i += kTile) {
    const Eigen::Index count = std::min(kTile, n - i);
    Eigen::Map<Array> w(weights + i, count), m(first_moment + i, count), v(second_moment + i, count);
    const Eigen::Map<const Array> g(gradient + i, count);
    m = b1 * m + (rest1 * scale) * g;
    v = b2 * v + (rest2 * scale * scale) * g.square();
    w -= pace * m / (v.sqrt() * root + eps);
  }
}

double clip_scale(double gradient_norm, double clip) {
  return clip > 0 ? std::min(1.0, clip / (gradient_norm + 1e-6)) : 1.0;
}

template void adam_update(float*, const float*, float*, float*, std::size_t, const AdamStep&);
template void adam_update(double*, const double*, double*, double*, std::size_t, const AdamStep&);

}  // namespace glassformer
