// The product of two matrices, the work that a Transformer spends most of its time on.
//
// The result is computed in tiles of a few rows and columns that stay in registers over the whole sum. What a
// tile reads again and again of the right factor, a panel of a few columns, is first copied side by side, so
// that it stays in the nearest cache; so is a left factor whose terms are far apart. Every number of the
// result is summed in the order of the terms, wherever in the matrix it is (but for very few rows times a
// transpose, where the terms are summed in as many lanes as a register has). A product allocates no memory;
// Panels do.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "engine/math/matrix.h"

namespace glassformer {

// A row-major block that somebody else owns.
template <class Scalar>
struct Block {
  Scalar* data = nullptr;
  int rows = 0, columns = 0;
  int stride = 0;  // from one row to the next

  Scalar* row(int index) const { return data + static_cast<std::ptrdiff_t>(index) * stride; }
};

// A matrix that is read, or its transpose.
template <class Scalar>
struct Factor {
  const Scalar* data = nullptr;
  int rows = 0, columns = 0;
  std::ptrdiff_t row_step = 0, column_step = 1;  // to the next row, to the next column

  Factor() = default;
  Factor(const Scalar* first, int row_count, int column_count, std::ptrdiff_t stride)
      : data(first), rows(row_count), columns(column_count), row_step(stride) {}
  Factor(const Block<Scalar>& block) : Factor(block.data, block.rows, block.columns, block.stride) {}

  Factor transposed() const {
    Factor result = *this;
    result.rows = columns;
    result.columns = rows;
    result.row_step = column_step;
    result.column_step = row_step;
    return result;
  }
};

// c = a b, or c += a b with `add`; a bias comes to every row at the end:
//   a (m, k), b (k, n), c (m, n), bias (n) or null
template <class Scalar>
void product(const Factor<Scalar>& a, const Factor<Scalar>& b, const Block<Scalar>& c, bool add = false,
             const Scalar* bias = nullptr);

// The right factor of many products, copied into panels once and for all.
template <class Scalar>
class Panels {
 public:
  Panels() = default;
  explicit Panels(const Factor<Scalar>& b);

  int columns() const { return columns_; }
  const Scalar* panel(int index) const { return panels_.get() + index * step_; }

 private:
  struct Release {
    void operator()(Scalar* numbers) const { std::free(numbers); }
  };

  int columns_ = 0;
  std::ptrdiff_t step_ = 0;  // from one panel to the next
  std::unique_ptr<Scalar[], Release> panels_;
};

// c = a b for as many columns of b as c has, from `first` on, a multiple of 64; a bias comes to every row at
// the end:   a (m, k), b (k, n), bias (columns of c) or null
template <class Scalar>
void product(const Factor<Scalar>& a, const Panels<Scalar>& b, const Block<Scalar>& c, int first = 0,
             const Scalar* bias = nullptr);

}  // namespace glassformer
