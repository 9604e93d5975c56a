// Names for the Eigen types that the whole engine computes with. A token is a row, so all matrices are
// row-major.
#pragma once

#include <Eigen/Core>

namespace glassformer {

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Scalar>
using RowVector = Eigen::Matrix<Scalar, 1, Eigen::Dynamic, Eigen::RowMajor>;

// A view of a block of somebody else's rows; binds to a matrix, a block of one, or a Map.
template <class Scalar>
using MatrixRef = Eigen::Ref<Matrix<Scalar>, 0, Eigen::OuterStride<>>;

template <class Scalar>
using ConstMatrixRef = Eigen::Ref<const Matrix<Scalar>, 0, Eigen::OuterStride<>>;

// At least `rows` rows of so many columns. Larger memory is kept, so that batches of
// changing size allocate nothing once the largest has been seen; what is in it may be lost.
template <class Scalar>
void make_room(Matrix<Scalar>& matrix, Eigen::Index rows, Eigen::Index columns) {
  if (matrix.rows() < rows || matrix.cols() != columns) matrix.resize(rows, columns);
}

}  // namespace glassformer
