// Products of matrices so small that a general routine spends its time preparing: one head of one sentence,
// some ten rows and columns. Everything is row-major with a row stride.
#pragma once

#include <Eigen/Core>

namespace glassformer {

// A strided block that somebody else owns.
template <class Scalar>
struct Block {
  Scalar* data = nullptr;
  int rows = 0, columns = 0;
  int stride = 0;  // from one row to the next

  Scalar* row(int index) const { return data + static_cast<std::ptrdiff_t>(index) * stride; }
  operator Block<const Scalar>() const { return {data, rows, columns, stride}; }
};

// c = a b, or c += a b with `add`:   a (m, k), b (k, n), c (m, n)
template <class Scalar>
void small_product(Block<const Scalar> a, Block<const Scalar> b, Block<Scalar> c, bool add = false);

// c = a^T b, or c += a^T b with `add`:   a (k, m), b (k, n), c (m, n)
template <class Scalar>
void small_product_transposed(Block<const Scalar> a, Block<const Scalar> b, Block<Scalar> c,
                              bool add = false);

// b = a^T
template <class Scalar>
void transpose(Block<const Scalar> a, Block<Scalar> b);

}  // namespace glassformer
