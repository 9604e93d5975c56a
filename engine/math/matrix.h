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

}  // namespace glassformer
