#include "engine/math/small_product.h"

namespace glassformer {
namespace {

// One operand by how far it is to the next row of the result and to the next term of the sum.
template <class Scalar>
struct Left {
  const Scalar* data;
  std::ptrdiff_t row_step, term_step;
};

// kRows x kColumns numbers of the result, kept in registers over the whole sum.
template <int kRows, int kColumns, class Scalar>
void tile(Left<Scalar> a, const Scalar* b, std::ptrdiff_t b_stride, Scalar* c, std::ptrdiff_t c_stride,
          int terms, bool add) {
  using Lane = Eigen::Array<Scalar, kColumns, 1>;
  Lane sum[kRows];
  for (int i = 0; i < kRows; ++i) {
    if (add) {
      sum[i] = Eigen::Map<const Lane>(c + i * c_stride);
    } else {
      sum[i].setZero();
    }
  }
  for (int t = 0; t < terms; ++t) {
    const Lane right = Eigen::Map<const Lane>(b + t * b_stride);
    const Scalar* left = a.data + t * a.term_step;
    for (int i = 0; i < kRows; ++i) sum[i] += left[i * a.row_step] * right;
  }
  for (int i = 0; i < kRows; ++i) Eigen::Map<Lane>(c + i * c_stride) = sum[i];
}

// All rows of kColumns columns, then the columns that are left in ever narrower strips.
template <int kColumns, class Scalar>
void strips(Left<Scalar> a, Block<const Scalar> b, Block<Scalar> c, int terms, bool add, int column) {
  constexpr int kRows = 6;
  for (; column + kColumns <= c.columns; column += kColumns) {
    int row = 0;
    for (; row + kRows <= c.rows; row += kRows) {
      tile<kRows, kColumns>({a.data + row * a.row_step, a.row_step, a.term_step}, b.data + column, b.stride,
                            c.row(row) + column, c.stride, terms, add);
    }
    for (; row + 2 <= c.rows; row += 2) {
      tile<2, kColumns>({a.data + row * a.row_step, a.row_step, a.term_step}, b.data + column, b.stride,
                        c.row(row) + column, c.stride, terms, add);
    }
    if (row < c.rows) {
      tile<1, kColumns>({a.data + row * a.row_step, a.row_step, a.term_step}, b.data + column, b.stride,
                        c.row(row) + column, c.stride, terms, add);
    }
  }
  if constexpr (kColumns > 1) {
    if (column < c.columns) strips<kColumns / 2>(a, b, c, terms, add, column);
  }
}

}  // namespace

template <class Scalar>
void small_product(Block<const Scalar> a, Block<const Scalar> b, Block<Scalar> c, bool add) {
  strips<32>(Left<Scalar>{a.data, a.stride, 1}, b, c, a.columns, add, 0);
}

template <class Scalar>
void small_product_transposed(Block<const Scalar> a, Block<const Scalar> b, Block<Scalar> c, bool add) {
  strips<32>(Left<Scalar>{a.data, 1, a.stride}, b, c, a.rows, add, 0);
}

template <class Scalar>
void transpose(Block<const Scalar> a, Block<Scalar> b) {
  for (int i = 0; i < a.rows; ++i) {
    const Scalar* from = a.row(i);
    for (int j = 0; j < a.columns; ++j) b.row(j)[i] = from[j];
  }
}

#define GLASSFORMER_SMALL_PRODUCT(Scalar)                                                                \
  template void small_product(Block<const Scalar>, Block<const Scalar>, Block<Scalar>, bool);            \
  template void small_product_transposed(Block<const Scalar>, Block<const Scalar>, Block<Scalar>, bool); \
  template void transpose(Block<const Scalar>, Block<Scalar>);
GLASSFORMER_SMALL_PRODUCT(float)
GLASSFORMER_SMALL_PRODUCT(double)

}  // namespace glassformer
