#include "engine/layers/rotary.h"

#include <cmath>

#include "engine/layers/embedding.h"

namespace glassformer {

double rotary_angle(double position, int pair, int k) {
  return position / position_divisor(2 * pair, k);
}

template <class Scalar>
Rotary<Scalar>::Rotary(int length, const RotaryPairs& pairs)
    : pairs_(pairs), cosines_(length, pairs.count()), sines_(length, pairs.count()) {
  for (int pair = 0; pair < pairs.count(); ++pair) {
    for (int position = 0; position < length; ++position) {
      const double angle = rotary_angle(position, pair, pairs.k);
      cosines_(position, pair) = static_cast<Scalar>(std::cos(angle));
      sines_(position, pair) = static_cast<Scalar>(std::sin(angle));
    }
  }
}

// Each head's pairs by their angles, or (direction -1) the other way.
template <class Scalar>
void Rotary<Scalar>::turn(Scalar direction, const GivenPositions& positions, int first,
                          MatrixRef<Scalar> rows) const {
  if (positions.none) return;
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    const int position = positions.at(first + static_cast<int>(row));
    for (Eigen::Index head = 0; head < rows.cols(); head += pairs_.k) {
      for (int i = 0; i < pairs_.count(); ++i) {
        const RotaryPair pair = pairs_.pair(i);
        const Scalar cosine = cosines_(position, i), sine = direction * sines_(position, i);
        Scalar& x = rows(row, head + pair.first);
        Scalar& y = rows(row, head + pair.second);
        const Scalar turned = x * cosine - y * sine;
        y = x * sine + y * cosine;
        x = turned;
      }
    }
  }
}

template <class Scalar>
void Rotary<Scalar>::rotate(const GivenPositions& positions, int first, MatrixRef<Scalar> rows) const {
  turn(Scalar{1}, positions, first, rows);
}

template <class Scalar>
void Rotary<Scalar>::rotate_back(const GivenPositions& positions, int first, MatrixRef<Scalar> d_rows) const {
  turn(Scalar{-1}, positions, first, d_rows);
}

template class Rotary<float>;
template class Rotary<double>;

}  // namespace glassformer
