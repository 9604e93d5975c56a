#include "engine/math/softmax.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace glassformer {
namespace {

template <class Scalar>
using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;

// Rows are short: f gets them in pieces of a fixed size, what is left in ever smaller ones.
template <int kSize, class Scalar, class Function>
void for_each_piece(Scalar* row, int count, Function&& f) {
  for (; count >= kSize; row += kSize, count -= kSize) f(Eigen::Map<Eigen::Array<Scalar, kSize, 1>>(row));
  if constexpr (kSize > 1) {
    if (count > 0) for_each_piece<kSize / 2>(row, count, f);
  }
}

}  // namespace

template <class Scalar>
void softmax(Scalar* row, int count) {
  softmax_rows(row, 1, count);
}

template <class Scalar>
void softmax_rows(Scalar* numbers, int rows, int columns) {
  constexpr int kPiece = 16;
  constexpr Scalar kMinusInfinity = -std::numeric_limits<Scalar>::infinity();
  constexpr Scalar kTiny = std::numeric_limits<Scalar>::min();
  for (int i = 0; i < rows; ++i) {
    Scalar* const row = numbers + static_cast<std::ptrdiff_t>(i) * columns;
    Scalar largest = kMinusInfinity;
    for_each_piece<kPiece>(row, columns, [&](auto piece) {
      const Scalar candidate = piece.template maxCoeff<Eigen::PropagateNaN>();
      if (candidate > largest || std::isnan(candidate)) largest = candidate;  // NaN must show in the result
    });
    if (largest == kMinusInfinity) continue;
    for_each_piece<kPiece>(row, columns, [&](auto piece) { piece -= largest; });
  }

  // Of all rows at once: the rows alone are shorter than what the processor takes at a time.
  for_each_piece<kPiece>(numbers, rows * columns, [&](auto piece) {
    piece = piece.exp();
    // The vectorised exp(-inf) is a tiny number instead of 0. What is as tiny is set to 0.
    for (Scalar& share : piece) share = share <= kTiny ? Scalar{0} : share;
  });

  for (int i = 0; i < rows; ++i) {
    Scalar* const row = numbers + static_cast<std::ptrdiff_t>(i) * columns;
    Scalar sum = 0;
    for_each_piece<kPiece>(row, columns, [&](auto piece) { sum += piece.sum(); });
    const Scalar scale = sum == 0 ? Scalar{0} : 1 / sum;
    for_each_piece<kPiece>(row, columns, [&](auto piece) { piece *= scale; });
  }
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
  // The first piece with the largest number, then its place there.
  constexpr int kPiece = 256;
  Scalar largest = -std::numeric_limits<Scalar>::infinity();
  int first = 0;
  for (int at = 0; at < count; at += kPiece) {
    const Eigen::Map<const Array<Scalar>> piece(row + at, std::min(kPiece, count - at));
    const Scalar here = piece.template maxCoeff<Eigen::PropagateNumbers>();
    if (here > largest) largest = here, first = at;
  }
  const Scalar* const found = std::find(row + first, row + count, largest);
  return found == row + count ? 0 : static_cast<int>(found - row);  // all NaN: the first
}

#define GLASSFORMER_SOFTMAX(Scalar)                \
  template void softmax(Scalar*, int);             \
  template void softmax_rows(Scalar*, int, int);   \
  template Scalar log_sum_exp(const Scalar*, int); \
  template int arg_max(const Scalar*, int);
GLASSFORMER_SOFTMAX(float)
GLASSFORMER_SOFTMAX(double)

}  // namespace glassformer
