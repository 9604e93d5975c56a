#include "engine/math/product.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "engine/math/registers.h"

namespace glassformer {
namespace {

// What the registers hold: the tile's sums, one or two vectors of the panel and one number of a.
constexpr int kPanelVectors = 2;
constexpr int kTileSums = kVectorBytes == 64 ? 28 : 12;
template <int kVectors>
constexpr int kTileRows = kTileSums / kVectors;
constexpr int kTerms = 256;  // of the sum at a time: a panel of them fits into the nearest cache
constexpr int kFewRows = 4;  // of a: not worth copying b for
constexpr int kFar = 128;    // numbers from one term of a to the next, more of which are worth a copy of a

// ---- tiles: as many rows of a as the registers hold, one or two vectors of columns of b

// One stretch of the sums of a tile. Of the last vector of a row only what c has of it is written.
template <class Scalar>
struct Stretch {
  Factor<Scalar> a;       // (rows, terms)
  const Scalar* b;        // (terms, whole vectors)
  std::ptrdiff_t b_step;  // to the next term
  Scalar* c;              // (rows, columns)
  std::ptrdiff_t c_step;  // to the next row
  int columns;
  bool add;
  const Scalar* bias = nullptr;  // (columns) comes to the sums at the end; null: none
};

// Every index of the sums is a constant: they stay in registers then.
template <int kVectors, class Scalar, int... kRow>
void tile(const Stretch<Scalar>& s, std::integer_sequence<int, kRow...>) {
  constexpr int kStep = kLanes<Scalar>, kLast = (kVectors - 1) * kStep, kGroup = 4;
  constexpr int kGroups = (sizeof...(kRow) + kGroup - 1) / kGroup;
  constexpr bool kTwo = kVectors == 2;
  Scalar* const c = s.c;
  const std::ptrdiff_t c_step = s.c_step;
  const int in_last = s.columns - kLast;
  Vector<Scalar> first[sizeof...(kRow)] = {}, last[sizeof...(kRow)] = {};
  if (s.add) {
    if constexpr (kTwo) ((first[kRow] = load(c + kRow * c_step)), ...);
    ((last[kRow] = load_some(c + kRow * c_step + kLast, in_last)), ...);
  }
  // One pointer for four rows: they are more than there are registers for addresses.
  const Scalar* a[kGroups];
  for (int group = 0; group < kGroups; ++group) a[group] = s.a.data + group * kGroup * s.a.row_step;
  const Scalar* b = s.b;
  for (int t = 0; t < s.a.columns; ++t) {
    const Vector<Scalar> b_first = load(b), b_last = kTwo ? load(b + kLast) : b_first;
    const auto add = [&](int row, const Vector<Scalar>& factor) {
      if constexpr (kTwo) first[row] = fused<Scalar>(factor, b_first, first[row]);
      last[row] = fused<Scalar>(factor, b_last, last[row]);
    };
    (add(kRow, in_every_lane(a[kRow / kGroup][kRow % kGroup * s.a.row_step])), ...);
    for (const Scalar*& group : a) group += s.a.column_step;
    b += s.b_step;
  }
  if (s.bias != nullptr) {
    const Vector<Scalar> bias_first = kTwo ? load(s.bias) : Vector<Scalar>{},
                         bias_last = load_some(s.bias + kLast, in_last);
    ((first[kRow] += bias_first, last[kRow] += bias_last), ...);
  }
  if constexpr (kTwo) (store(first[kRow], c + kRow * c_step), ...);
  (store_some<Scalar>(last[kRow], c + kRow * c_step + kLast, in_last), ...);
}

template <int kRows, int kVectors, class Scalar>
void tile(const Stretch<Scalar>& s) {
  tile<kVectors>(s, std::make_integer_sequence<int, kRows>());
}

// The tiles of one row, of two, and so on.
template <int kVectors, class Scalar, int... kRow>
constexpr auto tiles_by_rows(std::integer_sequence<int, kRow...>) {
  return std::array{&tile<kRow + 1, kVectors, Scalar>...};
}

// All rows of a, in tiles of about as many rows each.
template <int kVectors, class Scalar>
void column_of_tiles(Stretch<Scalar> s) {
  constexpr int kRows = kTileRows<kVectors>;
  static constexpr auto kTiles = tiles_by_rows<kVectors, Scalar>(std::make_integer_sequence<int, kRows>());
  const Stretch<Scalar> whole = s;
  const int rows = whole.a.rows, tiles = (rows + kRows - 1) / kRows;
  for (int i = 0; i < tiles; ++i) {
    const int first = rows * i / tiles;
    s.a.rows = rows * (i + 1) / tiles - first;
    s.a.data = whole.a.data + first * whole.a.row_step;
    s.c = whole.c + first * whole.c_step;
    kTiles[static_cast<std::size_t>(s.a.rows - 1)](s);
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
// places. All indices are constants, so that the vectors stay in registers.
template <int kDistance, class Scalar, int... kLane>
[[gnu::always_inline]] inline void transpose(Vector<Scalar> (&rows)[sizeof...(kLane)],
                                             std::integer_sequence<int, kLane...> lanes) {
  if constexpr (kDistance > 0) {
    const auto halves = std::make_index_sequence<sizeof...(kLane)>();
    (((kLane & kDistance) == 0 ? exchange<kDistance, Scalar>(rows[kLane], rows[kLane | kDistance], halves)
                               : void()),
     ...);
    transpose<kDistance / 2, Scalar>(rows, lanes);
  }
}

// A block of as many terms and columns as a vector has lanes, or of fewer: the numbers of a column are side
// by side in b, those of a term in the panel.
template <int kWidth, class Scalar, int... kLane>
[[gnu::always_inline]] inline void turn_block(const Scalar* b, std::ptrdiff_t column_step, Scalar* panel,
                                              int terms, int columns,
                                              std::integer_sequence<int, kLane...> lanes) {
  constexpr int kAll = sizeof...(kLane);
  Vector<Scalar> block[] = {
      (kLane < columns ? load_some(b + kLane * column_step, terms) : Vector<Scalar>{})...};
  transpose<kAll / 2, Scalar>(block, lanes);
  ((kLane < terms ? store(block[kLane], panel + kLane * kWidth) : void()), ...);
}

// Writes b (terms, columns), whose rows or columns are side by side, to panel (terms, kWidth), missing
// columns as 0.
template <int kWidth, class Scalar>
void fill_panel(const Factor<Scalar>& b, Scalar* panel) {
  constexpr int kStep = kLanes<Scalar>;
  constexpr std::make_integer_sequence<int, kStep> kLane;
  if (b.column_step == 1 && b.columns == kWidth) {
    for (int t = 0; t < b.rows; ++t)
      std::memcpy(panel + t * kWidth, b.data + t * b.row_step, kWidth * sizeof(Scalar));
    return;
  }
  for (int first = 0; first < kWidth; first += kStep) {
    const int columns = std::clamp(b.columns - first, 0, kStep);
    const Scalar* const from = b.data + first * b.column_step;
    if (b.column_step == 1) {
      for (int t = 0; t < b.rows; ++t)
        store(load_some(from + t * b.row_step, columns), panel + t * kWidth + first);
      continue;
    }
    for (int term = 0; term < b.rows; term += kStep) {
      const int terms = std::min(kStep, b.rows - term);
      Scalar* const to = panel + term * kWidth + first;
      if (terms == kStep && columns == kStep)
        turn_block<kWidth>(from + term, b.column_step, to, kStep, kStep, kLane);
      else
        turn_block<kWidth>(from + term, b.column_step, to, terms, columns, kLane);
    }
  }
}

// The columns of c that one panel gives, for one stretch of terms.
template <int kVectors, class Scalar>
void panel_product(Stretch<Scalar> s, const Factor<Scalar>& b) {
  constexpr int kWidth = kVectors * kLanes<Scalar>;
  alignas(64) Scalar panel[kTerms * kWidth];
  if (b.columns == kWidth && b.column_step == 1 && s.a.rows <= 2 * kTileRows<kVectors>) {
    s.b = b.data;  // read once or twice: not worth copying
    s.b_step = b.row_step;
  } else {
    fill_panel<kWidth>(b, panel);
    s.b = panel;
    s.b_step = kWidth;
  }
  s.columns = b.columns;
  column_of_tiles<kVectors>(s);
}

// All columns of c, for one stretch of terms.
template <class Scalar>
void stretch_product(Stretch<Scalar> s, const Factor<Scalar>& b, int columns) {
  Scalar* const first = s.c;
  const Scalar* const bias = s.bias;
  for (int column = 0; column < columns; column += kPanelVectors * kLanes<Scalar>) {
    Factor<Scalar> right = b;
    right.data += column * b.column_step;
    right.columns = std::min(kPanelVectors * kLanes<Scalar>, columns - column);
    s.c = first + column;
    if (bias != nullptr) s.bias = bias + column;
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
void dots(const Factor<Scalar>& a, const Factor<Scalar>& b, Scalar* c, bool add, const Scalar* bias) {
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
    c[j] = (add ? c[j] + total : total) + (bias != nullptr ? bias[j] : Scalar{0});
  }
}

template <class Scalar>
void product_of_few_rows(Factor<Scalar> a, Factor<Scalar> b, const Block<Scalar>& c, bool add,
                         const Scalar* bias) {
  constexpr int kColumns = 8;
  const Scalar *const first_row = a.data, *const first_column = b.data;
  for (int column = 0; column < c.columns;) {
    const int step = c.columns - column >= kColumns ? kColumns : 1;
    b.data = first_column + column * b.column_step;
    const Scalar* const here = bias == nullptr ? nullptr : bias + column;
    for (int row = 0; row < c.rows; ++row) {
      a.data = first_row + row * a.row_step;
      if (step == kColumns) {
        dots<kColumns>(a, b, c.row(row) + column, add, here);
      } else {
        dots<1>(a, b, c.row(row) + column, add, here);
      }
    }
    column += step;
  }
}

// ---- one row of a, whole vectors of columns: every number of b is read once, where it is

template <class Scalar>
void product_of_one_row(const Factor<Scalar>& a, const Factor<Scalar>& b, const Block<Scalar>& c, bool add) {
  constexpr int kStep = kLanes<Scalar>;
  Stretch<Scalar> s{a, b.data, b.row_step, c.data, c.stride, kStep, add};
  for (int left = c.columns; left > 0;) {
    const int vectors = left >= kPanelVectors * kStep ? kPanelVectors : 1;
    s.columns = vectors * kStep;
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
void product(const Factor<Scalar>& a, const Factor<Scalar>& b, const Block<Scalar>& c, bool add,
             const Scalar* bias) {
  if (a.rows <= kFewRows && a.column_step == 1 && b.row_step == 1) {
    product_of_few_rows(a, b, c, add, bias);
    return;
  }
  if (a.rows == 1 && b.column_step == 1 && c.columns % kLanes<Scalar> == 0 && bias == nullptr) {
    product_of_one_row(a, b, c, add);
    return;
  }
  for (int i = 0; a.columns == 0 && i < c.rows; ++i) {
    if (!add) std::fill_n(c.row(i), c.columns, Scalar{0});
    for (int j = 0; bias != nullptr && j < c.columns; ++j) c.row(i)[j] += bias[j];
  }
  for (int term = 0; term < a.columns; term += kTerms) {
    Factor<Scalar> right = b;
    right.data += term * b.row_step;
    right.rows = std::min(kTerms, a.columns - term);
    Stretch<Scalar> s{a, nullptr, 0, c.data, c.stride, 0, add || term > 0};
    s.a.data += term * a.column_step;
    s.a.columns = right.rows;
    if (term + kTerms >= a.columns) s.bias = bias;
    if (a.row_step == 1 && a.column_step > kFar) {
      close_product(s, right, c.columns);
    } else {
      stretch_product(s, right, c.columns);
    }
  }
}

template <class Scalar>
Panels<Scalar>::Panels(const Factor<Scalar>& b) : columns_(b.columns) {
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
void product(const Factor<Scalar>& a, const Panels<Scalar>& b, const Block<Scalar>& c, int first,
             const Scalar* bias) {
  constexpr int kWidth = kPanelVectors * kLanes<Scalar>;
  Stretch<Scalar> s{a, nullptr, kWidth, nullptr, c.stride, 0, false};
  for (int column = 0; column < c.columns; column += kWidth) {
    s.b = b.panel((first + column) / kWidth);
    s.c = c.data + column;
    s.columns = std::min(kWidth, c.columns - column);
    if (bias != nullptr) s.bias = bias + column;
    if (s.columns > kLanes<Scalar>) {
      column_of_tiles<kPanelVectors>(s);
    } else {
      column_of_tiles<1>(s);
    }
  }
}

template class Panels<float>;
template class Panels<double>;
template void product(const Factor<float>&, const Panels<float>&, const Block<float>&, int, const float*);
template void product(const Factor<double>&, const Panels<double>&, const Block<double>&, int, const double*);
template void product(const Factor<float>&, const Factor<float>&, const Block<float>&, bool, const float*);
template void product(const Factor<double>&, const Factor<double>&, const Block<double>&, bool,
                      const double*);

}  // namespace glassformer
