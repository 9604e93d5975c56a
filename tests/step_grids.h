// Plain arithmetic on grids of doubles, for recomputing steps: products, norms and softmaxes, forward and
// backward.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "step_arithmetic.h"

namespace glassformer::step_grids {

using Cell = std::function<double(int, int)>;

inline Grid make(int rows, int columns, const Cell& cell) {
  Grid grid(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) grid.at(i, j) = cell(i, j);
  }
  return grid;
}
inline Grid each(const Grid& x, const std::function<double(double)>& change) {
  return make(x.rows, x.columns, [&](int i, int j) { return change(x.at(i, j)); });
}
inline double sum(int count, const std::function<double(int)>& term) {
  double result = 0;
  for (int i = 0; i < count; ++i) result += term(i);
  return result;
}

inline Grid product(const Grid& a, const Grid& b) {
  REQUIRE(a.columns == b.rows);
  return make(a.rows, b.columns,
              [&](int i, int j) { return sum(a.columns, [&](int n) { return a.at(i, n) * b.at(n, j); }); });
}
inline Grid transposed(const Grid& x) {
  return make(x.columns, x.rows, [&](int i, int j) { return x.at(j, i); });
}
inline Grid plus(const Grid& a, const Grid& b) {
  REQUIRE(a.rows == b.rows);
  REQUIRE(a.columns == b.columns);
  return make(a.rows, a.columns, [&](int i, int j) { return a.at(i, j) + b.at(i, j); });
}
inline Grid product_with_bias(const std::vector<Grid>& in) {
  Grid y = product(in[0], transposed(in[1]));
  if (in.size() < 3) return y;
  return make(y.rows, y.columns, [&](int i, int j) { return y.at(i, j) + in[2].at(0, j); });
}
inline Grid sum_of_products(const std::vector<Grid>& in, std::size_t first) {
  Grid y = product(in[first], in[first + 1]);
  for (std::size_t i = first + 2; i + 1 < in.size(); i += 2) y = plus(y, product(in[i], in[i + 1]));
  return y;
}

inline std::vector<Grid> normalize(const std::vector<Grid>& in, double eps) {
  const Grid& x = in[0];
  const double d = x.columns;
  const Grid mean =
      make(x.rows, 1, [&](int i, int) { return sum(x.columns, [&](int j) { return x.at(i, j); }) / d; });
  const Grid deviation = make(x.rows, 1, [&](int i, int) {
    return std::sqrt(sum(x.columns, [&](int j) { return std::pow(x.at(i, j) - mean.at(i, 0), 2); }) / d +
                     eps);
  });
  return {make(x.rows, x.columns,
               [&](int i, int j) {
                 return (x.at(i, j) - mean.at(i, 0)) / deviation.at(i, 0) * in[1].at(0, j) + in[2].at(0, j);
               }),
          mean, deviation};
}

inline std::vector<Grid> divide_by_rms(const std::vector<Grid>& in, double eps) {
  const Grid& x = in[0];
  const Grid rms = make(x.rows, 1, [&](int i, int) {
    return std::sqrt(sum(x.columns, [&](int j) { return x.at(i, j) * x.at(i, j); }) / x.columns + eps);
  });
  return {make(x.rows, x.columns, [&](int i, int j) { return x.at(i, j) / rms.at(i, 0) * in[1].at(0, j); }),
          rms};
}

// in: dN, R, γ, rms, and what came past the block
inline std::vector<Grid> rms_norm_backward(const std::vector<Grid>& in) {
  const Grid& dy = in[0];
  const auto n = [&](int i, int j) { return in[1].at(i, j) / in[3].at(i, 0); };
  const auto g = [&](int i, int j) { return dy.at(i, j) * in[2].at(0, j); };
  const Grid dx = make(dy.rows, dy.columns, [&](int i, int j) {
    const double along = sum(dy.columns, [&](int c) { return g(i, c) * n(i, c); }) / dy.columns;
    return (in.size() > 4 ? in[4].at(i, j) : 0) + (g(i, j) - n(i, j) * along) / in[3].at(i, 0);
  });
  return {dx, make(1, dy.columns,
                   [&](int, int j) { return sum(dy.rows, [&](int i) { return dy.at(i, j) * n(i, j); }); })};
}

// in: dN, R, γ, μ, σ, and what came past the block
inline std::vector<Grid> layer_norm_backward(const std::vector<Grid>& in) {
  const Grid& dy = in[0];
  const double d = dy.columns;
  const auto n = [&](int i, int j) { return (in[1].at(i, j) - in[3].at(i, 0)) / in[4].at(i, 0); };
  const auto g = [&](int i, int j) { return dy.at(i, j) * in[2].at(0, j); };
  const Grid dx = make(dy.rows, dy.columns, [&](int i, int j) {
    const double mean = sum(dy.columns, [&](int c) { return g(i, c); }) / d;
    const double along = sum(dy.columns, [&](int c) { return g(i, c) * n(i, c); }) / d;
    const double past = in.size() > 5 ? in[5].at(i, j) : 0;
    return past + (g(i, j) - mean - n(i, j) * along) / in[4].at(i, 0);
  });
  return {dx,
          make(1, dy.columns,
               [&](int, int j) { return sum(dy.rows, [&](int i) { return dy.at(i, j) * n(i, j); }); }),
          make(1, dy.columns, [&](int, int j) { return sum(dy.rows, [&](int i) { return dy.at(i, j); }); })};
}

inline Grid softmax_of_rows(const Grid& x) {
  Grid y(x.rows, x.columns);
  for (int i = 0; i < x.rows; ++i) {
    const double total = sum(x.columns, [&](int j) { return std::exp(x.at(i, j)); });
    for (int j = 0; j < x.columns; ++j) y.at(i, j) = total > 0 ? std::exp(x.at(i, j)) / total : 0;
  }
  return y;
}
// Where the mask leaves something, by how many keys it does so in the row.
inline Grid by_seen(const Grid& mask, const std::function<double(int, int)>& value) {
  return make(mask.rows, mask.columns, [&](int i, int j) {
    const double seen = sum(mask.columns, [&](int c) { return mask.at(i, c) == 0 ? 1.0 : 0.0; });
    return value(i, j) / seen;
  });
}
inline Grid log_softmax_of_rows(const Grid& x) {
  return make(x.rows, x.columns, [&](int i, int j) {
    return x.at(i, j) - std::log(sum(x.columns, [&](int c) { return std::exp(x.at(i, c)); }));
  });
}

inline double below(double x) {
  return 0.5 * (1 + std::erf(x / std::numbers::sqrt2));
}
inline double density(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}
inline double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

inline Grid column_sums(const Grid& x) {
  return make(1, x.columns, [&](int, int j) { return sum(x.rows, [&](int i) { return x.at(i, j); }); });
}
inline Grid by_word(const Grid& ids, const Grid& rows, int words) {
  Grid table(words, rows.columns);
  for (int i = 0; i < rows.rows; ++i) {
    for (int j = 0; j < rows.columns; ++j) table.at(static_cast<int>(ids.at(i, 0)), j) += rows.at(i, j);
  }
  return table;
}
inline Grid id_column(const std::vector<int>& ids) {
  return make(static_cast<int>(ids.size()), 1, [&](int i, int) { return ids[static_cast<std::size_t>(i)]; });
}
inline Grid with(const Grid& a, const Grid& b, const std::function<double(double, double)>& join) {
  return make(a.rows, a.columns, [&](int i, int j) { return join(a.at(i, j), b.at(i, j)); });
}

}  // namespace glassformer::step_grids
