#include "engine/layers/rotary.h"

#include <cmath>

#include "engine/layers/embedding.h"

namespace glassformer {

double rotary_angle(double position, int pair, int k) {
  return position / position_divisor(2 * pair, k);
}

namespace {

// Each head's pairs by their angles, or (direction -1) the other way.
template <class Scalar>
void turn(const Matrix<Scalar>& cosines, const Matrix<Scalar>& sines, Scalar direction, int first,
          MatrixRef<Scalar> rows) {
  const Eigen::Index k = 2 * cosines.cols();
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    for (Eigen::Index head = 0; head < rows.cols(); head += k) {
      for (Eigen::Index pair = 0; pair < cosines.cols(); ++pair) {
        const Scalar cosine = cosines(first + row, pair), sine = direction * sines(first + row, pair);
        Scalar& x = rows(row, head + 2 * pair);
        Scalar& y = rows(row, head + 2 * pair + 1);
        const Scalar turned = x * cosine - y * sine;
        y = x * sine + y * cosine;
        x = turned;
      }
    }
  }
}

}  // namespace

template <class Scalar>
Rotary<Scalar>::Rotary(int length, int k) : cosines_(length, k / 2), sines_(length, k / 2) {
  for (int pair = 0; pair < k / 2; ++pair) {
    for (int position = 0; position < length; ++position) {
      const double angle = rotary_angle(position, pair, k);
      cosines_(position, pair) = static_cast<Scalar>(std::cos(angle));
      sines_(position, pair) = static_cast<Scalar>(std::sin(angle));
    }
  }
}

template <class Scalar>
void Rotary<Scalar>::rotate(int first, MatrixRef<Scalar> rows) const {
  turn(cosines_, sines_, Scalar{1}, first, rows);
}

template <class Scalar>
void Rotary<Scalar>::rotate_back(int first, MatrixRef<Scalar> d_rows) const {
  turn(cosines_, sines_, Scalar{-1}, first, d_rows);
}

template class Rotary<float>;
template class Rotary<double>;

}  // namespace glassformer
