// Attention in small: a table of facts, each a key and a value, asked with a query. Every key gets a score
// that says how well it fits the query.
//
//   hard:  answer = value of the best key              d answer / d query = 0 wherever it has one
//   soft:  weights = softmax(scores / temperature)     answer = sum of weights x values
//
// A temperature near 0 makes soft hard; a large one takes the mean of all values. Attention (paper, section
// 3.2.1) is the soft one at temperature 1, with the scores q · k / sqrt(k).
#pragma once

#include <span>
#include <vector>

#include "engine/math/matrix.h"

namespace glassformer {

struct LookupScores {
  std::vector<double> scores;  // (n); -inf: a key that may not be looked at
  Matrix<double> d_scores;     // (n, k) d score / d query
};

// Keys on a line, the nearest fits best: score = -(query - key)^2 / 2.
LookupScores nearness(double query, std::span<const double> keys);

// Keys are rows: score = scale x query · key.
LookupScores likeness(std::span<const double> query, const Matrix<double>& keys, double scale);

struct Lookup {
  int best = 0;                 // the key with the highest score, the first of equals
  std::vector<double> weights;  // (n) 0 or more, together 1
  std::vector<double> answer;   // (m)
  Matrix<double> slope;         // (m, k) d answer / d query
  double slope_size() const { return slope.norm(); }
};

// values (n, m). At least one fact, and one that may be looked at; else Error, as for a temperature that is
// not above 0.
Lookup hard_lookup(const LookupScores& scores, const Matrix<double>& values);
Lookup soft_lookup(const LookupScores& scores, const Matrix<double>& values, double temperature);

}  // namespace glassformer
