#include "engine/layers/embedding.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

template <class Scalar>
void embed(const Matrix<Scalar>& table, std::span<const int> ids, double scale, MatrixRef<Scalar> out) {
  const auto factor = static_cast<Scalar>(scale);
  for (std::size_t i = 0; i < ids.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = table.row(ids[i]) * factor;
}

template <class Scalar>
void add_embedding_gradient(std::span<const int> ids, const ConstMatrixRef<Scalar>& d_out, double scale,
                            int first, int last, Matrix<Scalar>& gradient) {
  const auto factor = static_cast<Scalar>(scale);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < first || ids[i] >= last) continue;
    gradient.row(ids[i]) += d_out.row(static_cast<Eigen::Index>(i)) * factor;
  }
}

static double pair_share(int column, int d, const WaveForm& form) {  // 2i/d
  return static_cast<double>(2 * wave_pair(column, d, form)) / wave_whole(d, form);
}

double position_divisor(int column, int d, const WaveForm& form) {
  return std::pow(kLargestDivisor, pair_share(column, d, form));
}

double position_frequency_by_exp(int column, int d, const WaveForm& form) {
  return std::exp(-std::log(kLargestDivisor) * pair_share(column, d, form));
}

double position_wave(double position, int column, int d, const WaveForm& form) {
  const double angle = position / position_divisor(column, d, form);
  return is_sine(column, d, form) ? std::sin(angle) : std::cos(angle);
}

template <class Scalar>
Matrix<Scalar> sinusoids(int length, int d, const WaveForm& form) {
  Matrix<Scalar> table(length, d);
  for (int column = 0; column < d; ++column) {
    const double divisor = position_divisor(column, d, form);
    const bool sine = is_sine(column, d, form);
    for (int position = 0; position < length; ++position) {
      const double angle = position / divisor;
      table(position, column) = static_cast<Scalar>(sine ? std::sin(angle) : std::cos(angle));
    }
  }
  return table;
}

#define GLASSFORMER_EMBEDDING(Scalar)                                                                    \
  template void embed(const Matrix<Scalar>&, std::span<const int>, double, MatrixRef<Scalar>);           \
  template void add_embedding_gradient(std::span<const int>, const ConstMatrixRef<Scalar>&, double, int, \
                                       int, Matrix<Scalar>&);                                            \
  template Matrix<Scalar> sinusoids(int, int, const WaveForm&);
GLASSFORMER_EMBEDDING(float)
GLASSFORMER_EMBEDDING(double)

int GivenPositions::end(int places) const {
  int end = 0;
  for (int place = 0; place < places && !none; ++place) end = std::max(end, at(place) + 1);
  return end;
}

}  // namespace glassformer
