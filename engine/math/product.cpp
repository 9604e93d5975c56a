#include "engine/math/product.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "engine/math/registers.h"

namespace glassformer {
namespace {

// What the registers hold: the tile's sums, two vectors of the panel and one number of a.
constexpr int kTileRows = kVectorBytes == 64 ? 14 : 6;
constexpr int kPanelVectors = 2;
constexpr int kTerms = 256;  // of the sum at a time: a panel of them fits into the nearest cache
constexpr int kFewRows = 4;  // of a: not worth copying b for
constexpr int kFar = 128;    // numbers from one term of a to the next, more of which are worth a copy of a

// ---- tiles: as many rows of a as the registers hold, one or two vectors of columns of b

// One stretch of the sums of a tile.
template <class Scalar>
struct Stretch {
  Factor<Scalar> a;       // (rows, terms)
  const Scalar* b;        // (terms, width)
  std::ptrdiff_t b_step;  // to the next term
  Scalar* c;              // (rows, width)
  std::ptrdiff_t c_step;  // to the next row
  bool add;
};

template <int kRows, int kVectors, class Scalar>
void tile(const Stretch<Scalar>& s) {
  constexpr int kStep = kLanes<Scalar>;
  Vector<Scalar> sum[kRows][kVectors] = {};
  if (s.add) {
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kVectors; ++j) sum[i][j] = load(s.c + i * s.c_step + j * kStep);
    }
  }
  for (int t = 0; t < s.a.columns; ++t) {
    Vector<Scalar> b[kVectors];
    for (int j = 0; j < kVectors; ++j) b[j] = load(s.b + t * s.b_step + j * kStep);
    const Scalar* a = s.a.data + t * s.a.column_step;
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kVectors; ++j)
        sum[i][j] = fused<Scalar>(in_every_lane(a[i * s.a.row_step]), b[j], sum[i][j]);
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kVectors; ++j) store(sum[i][j], s.c + i * s.c_step + j * kStep);
  }
}

// A tile of s.a.rows rows.
template <int kVectors, int kRows = kTileRows, class Scalar>
void tile_of_rows(const Stretch<Scalar>& s) {
  if constexpr (kRows > 0) {
    if (s.a.rows == kRows) {
      tile<kRows, kVectors>(s);
    } else {
      tile_of_rows<kVectors, kRows - 1>(s);
    }
  }
}

// All rows of a, in tiles of about as many rows each. `columns` of the result are wanted.
template <int kVectors, class Scalar>
void column_of_tiles(Stretch<Scalar> s, int columns) {
  constexpr int kWidth = kVectors * kLanes<Scalar>;
  const Factor<Scalar> a = s.a;
  const Block<Scalar> c{s.c, a.rows, columns, static_cast<int>(s.c_step)};
  const bool narrow = columns < kWidth;
  alignas(64) Scalar wide[kTileRows * kWidth];  // where the result is too narrow to write into
  const int tiles = (a.rows + kTileRows - 1) / kTileRows;
  for (int i = 0; i < tiles; ++i) {
    const int first = a.rows * i / tiles;
    s.a.rows = a.rows * (i + 1) / tiles - first;
    s.a.data = a.data + first * a.row_step;
    if (!narrow) {
      s.c = c.row(first);
      tile_of_rows<kVectors>(s);
      continue;
    }
    s.c = wide;
    s.c_step = kWidth;
    for (int row = 0; row < s.a.rows && s.add; ++row) {
      std::fill_n(std::copy_n(c.row(first + row), columns, wide + row * kWidth), kWidth - columns, Scalar{0});
    }
    tile_of_rows<kVectors>(s);
    for (int row = 0; row < s.a.rows; ++row) std::copy_n(wide + row * kWidth, columns, c.row(first + row));
  }
}

// ---- panels: some columns of b, side by side

// Lane l of b and lane l + kDistance of a change places where bit kDistance of l is not set.
template <int kDistance, class Scalar, std::size_t... kLane>
void exchange(Vector<Scalar>& a, Vector<Scalar>& b, std::index_sequence<kLane...>) {
  constexpr int kCount = kLanes<Scalar>;
  const auto first = __builtin_shufflevector(
      a, b,
      ((kLane & kDistance) != 0 ? kCount + static_cast<int>(kLane) - kDistance : static_cast<int>(kLane))...);
  b = __builtin_shufflevector(
      a, b,
      ((kLane & kDistance) != 0 ? kCount + static_cast<int>(kLane) : static_cast<int>(kLane) + kDistance)...);
  a = first;
}

// As many vectors as they have lanes, rows to columns: halves of ever more, ever smaller blocks change
// places.
template <int kDistance, class Scalar>
void transpose(Vector<Scalar>* rows) {
  if constexpr (kDistance > 0) {
    for (int i = 0; i < kLanes<Scalar>; ++i) {
      if ((i & kDistance) != 0) continue;
      exchange<kDistance, Scalar>(rows[i], rows[i + kDistance], std::make_index_sequence<kLanes<Scalar>>());
    }
    transpose<kDistance / 2, Scalar>(rows);
  }
}

// Writes b (terms, columns) to panel (terms, kWidth), missing columns as 0.
template <int kWidth, class Scalar>
void fill_panel(const Factor<Scalar>& b, Scalar* panel) {
  constexpr int kStep = kLanes<Scalar>;
  if (b.column_step == 1 && b.columns == kWidth) {
    for (int t = 0; t < b.rows; ++t)
      std::memcpy(panel + t * kWidth, b.data + t * b.row_step, kWidth * sizeof(Scalar));
    return;
  }
  for (int first = 0; first < kWidth; first += kStep) {
    int term = 0;
    if (b.row_step == 1) {
      for (; term + kStep <= b.rows; term += kStep) {
        Vector<Scalar> block[kStep] = {};
        for (int i = 0; i < kStep && first + i < b.columns; ++i)
          block[i] = load(b.data + term + (first + i) * b.column_step);
        transpose<kStep / 2, Scalar>(block);
        for (int i = 0; i < kStep; ++i) store(block[i], panel + (term + i) * kWidth + first);
      }
    }
    for (; term < b.rows; ++term) {
      for (int j = first; j < first + kStep; ++j) {
        panel[term * kWidth + j] = j < b.columns ? b.data[term * b.row_step + j * b.column_step] : 0;
      }
    }
  }
}

// The columns of c that one panel gives, for one stretch of terms.
template <int kVectors, class Scalar>
void panel_product(Stretch<Scalar> s, const Factor<Scalar>& b) {
  constexpr int kWidth = kVectors * kLanes<Scalar>;
  alignas(64) Scalar panel[kTerms * kWidth];
  if (b.columns == kWidth && b.column_step == 1 && s.a.rows <= 2 * kTileRows) {
    s.b = b.data;  // read once or twice: not worth copying
    s.b_step = b.row_step;
  } else {
    fill_panel<kWidth>(b, panel);
    s.b = panel;
    s.b_step = kWidth;
  }
  column_of_tiles<kVectors>(s, b.columns);
}

// All columns of c, for one stretch of terms.
template <class Scalar>
void stretch_product(Stretch<Scalar> s, const Factor<Scalar>& b, int columns) {
  Scalar* const first = s.c;
  for (int column = 0; column < columns; column += kPanelVectors * kLanes<Scalar>) {
    Factor<Scalar> right = b;
    right.data += column * b.column_step;
    right.columns = std::min(kPanelVectors * kLanes<Scalar>, columns - column);
    s.c = first + column;
    if (right.columns > kLanes<Scalar>) {
      panel_product<kPanelVectors>(s, right);
    } else {
      panel_product<1>(s, right);
    }
  }
}

// The same for a transposed a, whose terms are far from each other and are read for every panel: some rows
// at a time, they are first copied closer together.
template <class Scalar>
void close_product(Stretch<Scalar> s, const Factor<Scalar>& b, int columns) {
  constexpr int kRows = 256;
  // No power of two apart: such lines crowd each other out of a cache.
  constexpr int kStep = kRows + kLanes<Scalar>;
  alignas(64) Scalar close[kTerms * kStep];
  const Factor<Scalar> far = s.a;
  const Block<Scalar> c{s.c, far.rows, columns, static_cast<int>(s.c_step)};
  s.a.data = close;
  s.a.column_step = kStep;
  for (int row = 0; row < far.rows; row += kRows) {
    s.a.rows = std::min(kRows, far.rows - row);
    for (int t = 0; t < far.columns; ++t) {
      std::memcpy(close + t * kStep, far.data + row + t * far.column_step,
                  static_cast<std::size_t>(s.a.rows) * sizeof(Scalar));
    }
    s.c = c.row(row);
    stretch_product(s, b, columns);
  }
}

// ---- few rows of a, b transposed: the terms of every number of c are side by side

// kColumns numbers of one row of c.
template <int kColumns, class Scalar>
void dots(const Factor<Scalar>& a, const Factor<Scalar>& b, Scalar* c, bool add) {
  constexpr int kStep = kLanes<Scalar>;
  Vector<Scalar> sum[kColumns] = {};
  int term = 0;
  for (; term + kStep <= a.columns; term += kStep) {
    const Vector<Scalar> left = load(a.data + term);
    for (int j = 0; j < kColumns; ++j)
      sum[j] = fused<Scalar>(left, load(b.data + j * b.column_step + term), sum[j]);
  }
  for (int j = 0; j < kColumns; ++j) {
    Scalar total = sum_of_lanes<Scalar>(sum[j]);
    for (int t = term; t < a.columns; ++t) total += a.data[t] * b.data[j * b.column_step + t];
    c[j] = add ? c[j] + total : total;
  }
}

template <class Scalar>
void product_of_few_rows(Factor<Scalar> a, Factor<Scalar> b, const Block<Scalar>& c, bool add) {
  constexpr int kColumns = 8;
  const Scalar *const first_row = a.data, *const first_column = b.data;
  for (int column = 0; column < c.columns;) {
    const int step = c.columns - column >= kColumns ? kColumns : 1;
    b.data = first_column + column * b.column_step;
    for (int row = 0; row < c.rows; ++row) {
      a.data = first_row + row * a.row_step;
      if (step == kColumns) {
        dots<kColumns>(a, b, c.row(row) + column, add);
      } else {
        dots<1>(a, b, c.row(row) + column, add);
      }
    }
    column += step;
  }
}

// ---- one row of a, whole vectors of columns: every number of b is read once, where it is

template <class Scalar>
void product_of_one_row(const Factor<Scalar>& a, const Factor<Scalar>& b, const Block<Scalar>& c, bool add) {
  constexpr int kStep = kLanes<Scalar>;
  Stretch<Scalar> s{a, b.data, b.row_step, c.data, c.stride, add};
  for (int left = c.columns; left > 0;) {
    const int vectors = left >= kPanelVectors * kStep ? kPanelVectors : 1;
    if (vectors == kPanelVectors) {
      tile<1, kPanelVectors>(s);
    } else {
      tile<1, 1>(s);
    }
    s.b += vectors * kStep;
    s.c += vectors * kStep;
    left -= vectors * kStep;
  }
}

// ---- the memory of panels

// Many numbers in pages of 2 MB where the system has them: thousands of small pages cost more to get than the
// panels to fill.
template <class Scalar>
Scalar* numbers_in_large_pages(std::size_t count) {
  constexpr std::size_t kLine = 64, kPage = std::size_t{1} << 21U;
  const std::size_t bytes = count * sizeof(Scalar), unit = bytes > kPage / 4 ? kPage : kLine;
  const std::size_t rounded = std::max(unit, (bytes + unit - 1) / unit * unit);
  void* const memory = std::aligned_alloc(unit, rounded);
  if (memory == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
  if (unit == kPage) ::madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return static_cast<Scalar*>(memory);
}

}  // namespace

template <class Scalar>
void product(const Factor<Scalar>& a, const Factor<Scalar>& b, const Block<Scalar>& c, bool add) {
  if (a.rows <= kFewRows && a.column_step == 1 && b.row_step == 1) {
    product_of_few_rows(a, b, c, add);
    return;
  }
  if (a.rows == 1 && b.column_step == 1 && c.columns % kLanes<Scalar> == 0) {
    product_of_one_row(a, b, c, add);
    return;
  }
  if (a.columns == 0 && !add) {
    for (int i = 0; i < c.rows; ++i) std::fill_n(c.row(i), c.columns, Scalar{0});
  }
  for (int term = 0; term < a.columns; term += kTerms) {
    Factor<Scalar> right = b;
    right.data += term * b.row_step;
    right.rows = std::min(kTerms, a.columns - term);
    Stretch<Scalar> s{a, nullptr, 0, c.data, c.stride, add || term > 0};
    s.a.data += term * a.column_step;
    s.a.columns = right.rows;
    if (a.row_step == 1 && a.column_step > kFar) {
      close_product(s, right, c.columns);
    } else {
      stretch_product(s, right, c.columns);
    }
  }
}

template <class Scalar>
Panels<Scalar>::Panels(const Factor<Scalar>& b) : terms_(b.rows), columns_(b.columns) {
  constexpr int kWidth = kPanelVectors * kLanes<Scalar>;
  const int panels = (b.columns + kWidth - 1) / kWidth;
  step_ = static_cast<std::ptrdiff_t>(b.rows) * kWidth;
  panels_.reset(numbers_in_large_pages<Scalar>(static_cast<std::size_t>(panels * step_)));
  for (int i = 0; i < panels; ++i) {
    Factor<Scalar> part = b;
    part.data += i * kWidth * b.column_step;
    part.columns = std::min(kWidth, b.columns - i * kWidth);
    fill_panel<kWidth>(part, panels_.get() + i * step_);
  }
}

template <class Scalar>
void product(const Factor<Scalar>& a, const Panels<Scalar>& b, const Block<Scalar>& c, int first) {
  constexpr int kWidth = kPanelVectors * kLanes<Scalar>;
  for (int column = 0; column < c.columns; column += kWidth) {
    const Stretch<Scalar> s{a, b.panel((first + column) / kWidth), kWidth, c.data + column, c.stride, false};
    column_of_tiles<kPanelVectors>(s, std::min(kWidth, c.columns - column));
  }
}

template class Panels<float>;
template class Panels<double>;
template void product(const Factor<float>&, const Panels<float>&, const Block<float>&, int);
template void product(const Factor<double>&, const Panels<double>&, const Block<double>&, int);
template void product(const Factor<float>&, const Factor<float>&, const Block<float>&, bool);
template void product(const Factor<double>&, const Factor<double>&, const Block<double>&, bool);

}  // namespace glassformer
