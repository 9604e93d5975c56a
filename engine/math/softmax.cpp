#include "engine/math/softmax.h"

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace glassformer {
namespace {

template <class Scalar>
using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

// Rows are short: they are handled in pieces of a fixed size, the last one filled up.
constexpr int kPiece = 16;
template <class Scalar>
using Piece = Eigen::Array<Scalar, kPiece, 1>;

template <class Scalar>
Piece<Scalar> load(const Scalar* from, int left, Scalar filler) {
  if (left >= kPiece) return Eigen::Map<const Piece<Scalar>>(from);
  Piece<Scalar> piece;
  for (int i = 0; i < kPiece; ++i) piece[i] = i < left ? from[i] : filler;
  return piece;
}

template <class Scalar>
void store(const Piece<Scalar>& piece, Scalar* to, int left) {
  if (left >= kPiece) {
    Eigen::Map<Piece<Scalar>>(to, kPiece) = piece;
  } else {
    for (int i = 0; i < left; ++i) to[i] = piece[i];
  }
}

}  // namespace

template <class Scalar>
void softmax(Scalar* row, int count) {
  constexpr Scalar kMinusInfinity = -std::numeric_limits<Scalar>::infinity();
  constexpr Scalar kTiny = std::numeric_limits<Scalar>::min();
  Piece<Scalar> largest_of = Piece<Scalar>::Constant(kMinusInfinity);
  for (int i = 0; i < count; i += kPiece)
    largest_of = largest_of.max(load(row + i, count - i, kMinusInfinity));
  const Scalar largest = largest_of.maxCoeff();
  if (largest == kMinusInfinity) {
    Eigen::Map<Array<Scalar>>(row, count).setZero();
    return;
  }

  Piece<Scalar> sum = Piece<Scalar>::Zero();
  for (int i = 0; i < count; i += kPiece) {
    Piece<Scalar> shares = (load(row + i, count - i, kMinusInfinity) - largest).exp();
    // The vectorised exp(-inf) is a tiny number instead of 0. What is as tiny is set to 0.
    for (int j = 0; j < kPiece; ++j) shares[j] = shares[j] <= kTiny ? Scalar{0} : shares[j];
    sum += shares;
    store(shares, row + i, count - i);
  }
  const Scalar scale = 1 / sum.sum();
  for (int i = 0; i < count; i += kPiece)
    store<Scalar>(load(row + i, count - i, Scalar{0}) * scale, row + i, count - i);
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
