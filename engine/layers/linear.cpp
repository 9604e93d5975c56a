#include "engine/layers/linear.h"

#include <algorithm>

#include "engine/math/product.h"
#include "engine/math/work_profile.h"

namespace glassformer {
namespace {

template <class Scalar>
Factor<Scalar> factor(const ConstMatrixRef<Scalar>& matrix) {
  return {matrix.data(), static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()),
          matrix.outerStride()};
}

template <class Scalar>
void multiply(const Factor<Scalar>& a, const Factor<Scalar>& b, MatrixRef<Scalar>& c, bool add = false,
              const Scalar* bias = nullptr) {
  const Doing doing(Work::product, 2.0 * a.rows * a.columns * b.columns);
  product(a, b, {c.data(), a.rows, b.columns, static_cast<int>(c.outerStride())}, add, bias);
}

// The sum of all rows is added to `sums`: some columns at a time, which stay in registers meanwhile.
template <class Scalar>
void add_rows(const ConstMatrixRef<Scalar>& rows, Scalar* sums) {
  constexpr Eigen::Index kPiece = 64;
  Eigen::Index column = 0;
  for (; column + kPiece <= rows.cols(); column += kPiece) {
    Eigen::Map<Eigen::Matrix<Scalar, 1, kPiece>> all(sums + column);
    Eigen::Matrix<Scalar, 1, kPiece> sum = all;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) sum += rows.row(i).template segment<kPiece>(column);
    all = sum;
  }
  Eigen::Map<RowVector<Scalar>> rest(sums + column, rows.cols() - column);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rest += rows.row(i).tail(rest.size());
}

}  // namespace

template <class Scalar>
void Linear<Scalar>::resize(int in, int out, bool with_bias) {
  weight.setZero(out, in);
  bias.setZero(with_bias ? out : 0);
}

template <class Scalar>
void Linear<Scalar>::forward(const ConstMatrixRef<Scalar>& x, MatrixRef<Scalar> y, int first) const {
  multiply(factor<Scalar>(x), factor<Scalar>(weight.middleRows(first, y.cols())).transposed(), y, false,
           bias.size() > 0 ? bias.data() + first : nullptr);
}

template <class Scalar>
void Linear<Scalar>::backward(const ConstMatrixRef<Scalar>& d_y, MatrixRef<Scalar> d_x, bool add,
                              int first) const {
  multiply(factor<Scalar>(d_y), factor<Scalar>(weight.middleRows(first, d_y.cols())), d_x, add);
}

template <class Scalar>
void project(const ConstMatrixRef<Scalar>& x, const ConstMatrixRef<Scalar>& weight, MatrixRef<Scalar> y) {
  multiply(factor<Scalar>(x), factor<Scalar>(weight).transposed(), y);
}

template <class Scalar>
void project_backward(const ConstMatrixRef<Scalar>& d_y, const ConstMatrixRef<Scalar>& weight,
                      MatrixRef<Scalar> d_x) {
  multiply(factor<Scalar>(d_y), factor<Scalar>(weight), d_x);
}

template <class Scalar>
void linear_gradient(const ConstMatrixRef<Scalar>& x, const ConstMatrixRef<Scalar>& d_y,
                     MatrixRef<Scalar> d_weight, Scalar* d_bias, bool add) {
  multiply(factor<Scalar>(d_y).transposed(), factor<Scalar>(x), d_weight, add);
  if (d_bias == nullptr) return;
  if (!add) std::fill_n(d_bias, d_y.cols(), Scalar{0});
  add_rows<Scalar>(d_y, d_bias);
}

template struct Linear<float>;
template struct Linear<double>;
template void project(const ConstMatrixRef<float>&, const ConstMatrixRef<float>&, MatrixRef<float>);
template void project(const ConstMatrixRef<double>&, const ConstMatrixRef<double>&, MatrixRef<double>);
template void project_backward(const ConstMatrixRef<float>&, const ConstMatrixRef<float>&, MatrixRef<float>);
template void project_backward(const ConstMatrixRef<double>&, const ConstMatrixRef<double>&,
                               MatrixRef<double>);
template void linear_gradient(const ConstMatrixRef<float>&, const ConstMatrixRef<float>&, MatrixRef<float>,
                              float*, bool);
template void linear_gradient(const ConstMatrixRef<double>&, const ConstMatrixRef<double>&, MatrixRef<double>,
                              double*, bool);

}  // namespace glassformer
