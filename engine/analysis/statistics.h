// What the pictures of weights and embeddings show of a table of numbers: its spread, its histogram, which
// rows are alike, and the flat map that keeps most of the distances between them.
#pragma once

#include <span>
#include <vector>

#include "engine/model/trace.h"

namespace glassformer {

// Mean, spread and size of a set of numbers. Numbers that are not finite are counted and left out of the
// rest.
struct Summary {
  long count = 0;       // all of them
  long not_finite = 0;  // of these
  double mean = 0;
  double deviation = 0;  // around the mean, divided by the count (not count - 1)
  double norm = 0;       // root of the sum of squares
  double smallest = 0, largest = 0;
};
Summary summarize(std::span<const float> values);

// Student's t: so many standard errors on either side of a mean are its interval of 95 %, by the degrees of
// freedom (one less than there are numbers). Infinite below 1.
double student_t_95(long freedom);

// Spearman's: the correlation of the ranks of two lists of the same length, equal numbers at their mean rank.
// NaN where one of them has no spread or a number that is not finite.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

// How many numbers fall into each of `bins` equal parts of [low, high]; the last part includes its upper end.
// low and high are symmetric about 0, so that the sign of the weights shows, and reach at least so far.
struct Histogram {
  double low = 0, high = 0;
  std::vector<long> counts;
  long largest() const;  // the fullest bin
};
Histogram symmetric_histogram(std::span<const float> values, int bins, double reach = 0);

// A row that resembles another one.
struct Neighbour {
  int row = 0;
  double cosine = 0;  // a.b / (|a| |b|), from -1 to 1; 0 when one of them is all zeros
};
// The `count` rows most alike `row` (itself left out), best first, ties to the lower row. rows: (V, d).
std::vector<Neighbour> nearest_by_cosine(const Plane& rows, int row, int count);

// Principal components: the directions in which the rows of a table differ most. Looking along the first two
// of them shows d dimensions on paper with the least loss.
struct Projection {
  int components = 0;
  std::vector<float> coordinates;  // (V, components), row-major
  std::vector<double> explained;   // share of the whole variance along each component, from 0 to 1
  float at(int row, int component) const {
    return coordinates[static_cast<std::size_t>(row) * static_cast<std::size_t>(components) +
                       static_cast<std::size_t>(component)];
  }
};
// rows: (V, d). Each component's sign makes its largest loading positive, so that the same table gives the
// same map. A table with fewer than two rows, or without any variance, gives coordinates of 0 and shares of
// 0.
Projection principal_components(const Plane& rows, int components = 2);

// A large table made small enough to draw: each cell of the result holds the number of largest magnitude of a
// block of the table, so that a lone outlier stays visible. A small table comes back unchanged.
// NaN wins.
struct Pooled {
  int rows = 0, columns = 0;
  std::vector<float> values;  // (rows, columns), row-major
  Plane plane() const { return {values.data(), rows, columns}; }
};
Pooled pooled(const Plane& table, int most_rows, int most_columns);

}  // namespace glassformer
