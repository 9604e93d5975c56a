#include "engine/analysis/statistics.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/math/error.h"

namespace glassformer {

namespace {

std::span<const float> row_of(const Plane& rows, int row) {
  const auto columns = static_cast<std::size_t>(rows.columns);
  return {rows.data + static_cast<std::size_t>(row) * columns, columns};
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

}  // namespace

Summary summarize(std::span<const float> values) {
  Summary summary{.count = static_cast<long>(values.size())};

  // Sum what is finite.
  double sum = 0, squares = 0;
  long finite = 0;
  for (const float value : values) {
    if (!std::isfinite(value)) {
      ++summary.not_finite;
      continue;
    }
    const double v = value;
    summary.smallest = finite == 0 ? v : std::min(summary.smallest, v);
    summary.largest = finite == 0 ? v : std::max(summary.largest, v);
    sum += v;
    squares += v * v;
    ++finite;
  }
  if (finite == 0) return summary;
  summary.mean = sum / double(finite);
  summary.norm = std::sqrt(squares);

  // Spread around the mean, in a second pass for precision.
  double spread = 0;
  for (const float value : values)
    if (std::isfinite(value)) spread += (double(value) - summary.mean) * (double(value) - summary.mean);
  summary.deviation = std::sqrt(spread / double(finite));
  return summary;
}

double student_t_95(long freedom) {
  constexpr std::array<double, 10> kFew = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058,
                                           2.44691, 2.36462, 2.30600, 2.26216, 2.22814};
  if (freedom < 1) return std::numeric_limits<double>::infinity();
  if (freedom <= static_cast<long>(kFew.size())) return kFew[static_cast<std::size_t>(freedom) - 1];
  // Cornish and Fisher's expansion around the normal distribution's (Abramowitz and Stegun, 26.7.5).
  constexpr double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const auto n = static_cast<double>(freedom);
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

namespace {

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    double below = 0, equal = 0;
    for (const double other : values) {
      below += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    result.push_back(below + (equal + 1) / 2);
  }
  return result;
}

}  // namespace

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(a, finite) || !std::ranges::all_of(b, finite)) return std::nan("");
  const std::vector<double> of_a = ranks(a), of_b = ranks(b);
  const double middle = (static_cast<double>(a.size()) + 1) / 2;
  double both = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (of_a[i] - middle) * (of_b[i] - middle);
    first += (of_a[i] - middle) * (of_a[i] - middle);
    second += (of_b[i] - middle) * (of_b[i] - middle);
  }
  return both / std::sqrt(first * second);
}

long Histogram::largest() const {
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

Histogram symmetric_histogram(std::span<const float> values, int bins, double reach) {
  if (bins < 1) throw Error("histogram", "at least one bin is needed, found " + std::to_string(bins));
  Histogram result;
  result.counts.assign(static_cast<std::size_t>(bins), 0);

  // Reach as far as the largest magnitude; all zeros still need a width.
  for (const float value : values)
    if (std::isfinite(value)) reach = std::max(reach, std::abs(double(value)));
  if (reach == 0) reach = 1;
  result.low = -reach;
  result.high = reach;

  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    const double place = (double(value) + reach) / (2 * reach) * bins;
    ++result.counts[static_cast<std::size_t>(std::clamp(static_cast<int>(place), 0, bins - 1))];
  }
  return result;
}

Pooled pooled(const Plane& table, int most_rows, int most_columns) {
  if (most_rows < 1 || most_columns < 1) throw Error("picture of a table", "it needs at least one cell");
  Pooled result{.rows = std::min(table.rows, most_rows), .columns = std::min(table.columns, most_columns)};
  result.values.assign(static_cast<std::size_t>(result.rows) * static_cast<std::size_t>(result.columns),
                       0.0f);
  for (int r = 0; r < table.rows; ++r)
    for (int c = 0; c < table.columns; ++c) {
      const auto row = static_cast<std::size_t>(long(r) * result.rows / table.rows);
      const auto column = static_cast<std::size_t>(long(c) * result.columns / table.columns);
      float& cell = result.values[row * static_cast<std::size_t>(result.columns) + column];
      const float value = table(r, c);
      if (std::isnan(value) || std::abs(value) > std::abs(cell)) cell = value;
    }
  return result;
}

std::vector<Neighbour> nearest_by_cosine(const Plane& rows, int row, int count) {
  if (row < 0 || row >= rows.rows)
    throw Error("nearest rows",
                "row " + std::to_string(row) + " of a table of " + std::to_string(rows.rows) + " rows");
  const auto chosen = row_of(rows, row);
  const double length = std::sqrt(dot(chosen, chosen));

  std::vector<Neighbour> all;
  all.reserve(static_cast<std::size_t>(rows.rows));
  for (int other = 0; other < rows.rows; ++other) {
    if (other == row) continue;
    const auto candidate = row_of(rows, other);
    const double lengths = length * std::sqrt(dot(candidate, candidate));
    all.push_back({other, lengths > 0 ? dot(chosen, candidate) / lengths : 0});
  }
  const auto kept = std::min(all.size(), static_cast<std::size_t>(std::max(count, 0)));
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    [](const Neighbour& a, const Neighbour& b) {
                      return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row;
                    });
  all.resize(kept);
  return all;
}

Projection principal_components(const Plane& rows, int components) {
  Projection result;
  result.components = std::clamp(components, 0, rows.columns);
  result.coordinates.assign(static_cast<std::size_t>(rows.rows) * static_cast<std::size_t>(result.components),
                            0.0f);
  result.explained.assign(static_cast<std::size_t>(result.components), 0);
  if (rows.rows < 2 || result.components == 0) return result;

  // Center the columns.
  using Table = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Table centered = Eigen::Map<const Table>(rows.data, rows.rows, rows.columns);  // (V, d)
  if (!centered.allFinite()) return result;
  const Eigen::RowVectorXf mean = centered.cast<double>().colwise().mean().cast<float>();  // (d)
  centered.rowwise() -= mean;

  // Eigenvectors of the covariance; Eigen orders them from small to large.
  Eigen::MatrixXf covariance = Eigen::MatrixXf::Zero(rows.columns, rows.columns);  // (d, d)
  covariance.selfadjointView<Eigen::Lower>().rankUpdate(centered.transpose(), 1.0f / float(rows.rows));
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance.cast<double>());
  const double whole = solver.eigenvalues().cwiseMax(0).sum();
  if (!(whole > 0)) return result;

  for (int c = 0; c < result.components; ++c) {
    const auto column = solver.eigenvectors().cols() - 1 - c;
    Eigen::VectorXd direction = solver.eigenvectors().col(column);  // (d)
    Eigen::Index strongest = 0;
    direction.cwiseAbs().maxCoeff(&strongest);
    if (direction(strongest) < 0) direction = -direction;
    result.explained[static_cast<std::size_t>(c)] = std::max(0.0, solver.eigenvalues()(column)) / whole;
    const Eigen::VectorXf along = centered * direction.cast<float>();  // (V)
    for (int row = 0; row < rows.rows; ++row)
      result.coordinates[static_cast<std::size_t>(row * result.components + c)] = along(row);
  }
  return result;
}

}  // namespace glassformer
