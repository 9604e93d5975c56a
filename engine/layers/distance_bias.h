// ALiBi (Press et al. 2022, section 3): nothing is added to the embeddings. Instead each score of
// self-attention loses as much as its two words are far apart, a head's slope times the distance:
//
//   scores[i, j] - slope |i - j|
//
// The slopes are given, not learned: head h of H, from 1 on, has 2^(-8h/H). Where H is no power of 2, the
// heads of the next smaller power come first, and those between them, of twice that power, fill up. Both
// stacks count in both directions; the decoder's causal mask leaves j <= i. Cross-attention has none: its two
// sides count differently. There is nothing to learn, and the gradient passes unchanged.
#pragma once

#include <cmath>
#include <vector>

#include "engine/layers/embedding.h"
#include "engine/math/matrix.h"

namespace glassformer {

// Of `heads` heads, from 0 on.
inline double distance_slope(int head, int heads) {
  int power = 1;
  while (2 * power <= heads) power *= 2;
  const double step = head < power ? head + 1 : (2 * (head - power) + 1) / 2.0;
  return std::exp2(-8 * step / power);
}

// What scores (L_q, L_k) of queries from place `first` on get; 0 where no token has a position.
template <class Scalar>
void add_distance_bias(Scalar slope, const GivenPositions& positions, int first,
                       Eigen::Ref<Matrix<Scalar>> scores) {
  if (positions.none) return;
  for (int query = 0; query < scores.rows(); ++query)
    for (int key = 0; key < scores.cols(); ++key)
      scores(query, key) -=
          slope * static_cast<Scalar>(std::abs(positions.at(first + query) - positions.at(key)));
}

}  // namespace glassformer
