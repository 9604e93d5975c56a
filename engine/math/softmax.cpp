#include "engine/math/softmax.h"

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace glassformer {
namespace {

template <class Scalar>
using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

}  // namespace

template <class Scalar>
void softmax(Scalar* row, int count) {
  constexpr Scalar kMinusInfinity = -std::numeric_limits<Scalar>::infinity();
  Eigen::Map<Array<Scalar>> values(row, count);
  if (count == 0) return;
  const Scalar largest = values.maxCoeff();
  if (largest == kMinusInfinity) {
    values.setZero();
    return;
  }
  // Vectorised exp of -inf may come out as a tiny number: hidden entries are set to 0 by name.
  values = (values == kMinusInfinity).select(Scalar{0}, (values - largest).exp());
  values *= 1 / values.sum();
}

template <class Scalar>
Scalar log_sum_exp(const Scalar* row, int count) {
  const Eigen::Map<const Array<Scalar>> values(row, count);
  if (count == 0) return -std::numeric_limits<Scalar>::infinity();
  const Scalar largest = values.maxCoeff();
  if (!std::isfinite(largest)) return largest;
  return largest + std::log((values - largest).exp().sum());
}

template <class Scalar>
int arg_max(const Scalar* row, int count) {
  int best = 0;
  for (int i = 1; i < count; ++i) {
    if (row[i] > row[best] || (std::isnan(row[best]) && !std::isnan(row[i]))) best = i;
  }
  return best;
}

#define GLASSFORMER_SOFTMAX(Scalar)                \
  template void softmax(Scalar*, int);             \
  template Scalar log_sum_exp(const Scalar*, int); \
  template int arg_max(const Scalar*, int);
GLASSFORMER_SOFTMAX(float)
GLASSFORMER_SOFTMAX(double)

}  // namespace glassformer
