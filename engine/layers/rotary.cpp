#include "engine/layers/rotary.h"

#include <cmath>

#include "engine/layers/embedding.h"

namespace glassformer {

double rotary_angle(double position, int pair, int k) {
  return position / position_divisor(2 * pair, k);
}

template <class Scalar>
Rotary<Scalar>::Rotary(int length, int k) : cosines_(length, k / 2), sines_(length, k / 2) {
  for (int pair = 0; pair < k / 2; ++pair) {
    const double divisor = position_divisor(2 * pair, k);
    for (int position = 0; position < length; ++position) {
      cosines_(position, pair) = static_cast<Scalar>(std::cos(position / divisor));
      sines_(position, pair) = static_cast<Scalar>(std::sin(position / divisor));
    }
  }
}

template <class Scalar>
void Rotary<Scalar>::rotate(int first, MatrixRef<Scalar> rows) const {
  const Eigen::Index pairs = cosines_.cols(), all_pairs = rows.cols() / 2;
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    for (Eigen::Index pair = 0; pair < all_pairs; ++pair) {
      const Scalar cosine = cosines_(first + row, pair % pairs), sine = sines_(first + row, pair % pairs);
      Scalar& x = rows(row, 2 * pair);
      Scalar& y = rows(row, 2 * pair + 1);
      const Scalar turned = x * cosine - y * sine;
      y = x * sine + y * cosine;
      x = turned;
    }
  }
}

template <class Scalar>
void Rotary<Scalar>::rotate_back(int first, MatrixRef<Scalar> d_rows) const {
  const Eigen::Index pairs = cosines_.cols(), all_pairs = d_rows.cols() / 2;
  for (Eigen::Index row = 0; row < d_rows.rows(); ++row) {
    for (Eigen::Index pair = 0; pair < all_pairs; ++pair) {
      const Scalar cosine = cosines_(first + row, pair % pairs), sine = sines_(first + row, pair % pairs);
      Scalar& d_x = d_rows(row, 2 * pair);
      Scalar& d_y = d_rows(row, 2 * pair + 1);
      const Scalar turned = d_x * cosine + d_y * sine;
      d_y = d_y * cosine - d_x * sine;
      d_x = turned;
    }
  }
}

template class Rotary<float>;
template class Rotary<double>;

}  // namespace glassformer
