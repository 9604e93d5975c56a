// Which columns of a head rotary positions turn together. The Walk's sources take the two for neighbours.
#pragma once

#include "engine/layers/embedding.h"
#include "engine/math/matrix.h"

namespace glassformer {

// Two columns of a head that are turned as one point of a plane.
struct RotaryPair {
  int index = 0;  // i: the first pair turns fastest
  int first = 0, second = 0;
};

// The pairs of a head: neighbours, (2i, 2i + 1), as RoFormer has them.
struct RotaryPairs {
  int k = 0;  // columns of a head, even

  constexpr int count() const { return k / 2; }
  constexpr RotaryPair pair(int i) const { return {i, 2 * i, 2 * i + 1}; }
  constexpr RotaryPair with(int column) const { return pair(column / 2); }
};

// Rotary positions (RoFormer, Su et al. 2021, section 3.4.2): nothing is added to the embeddings. Instead
// each query and each key of self-attention is turned by an angle that grows with its position, pair by pair
// of its columns (a, b), which are 2i and 2i + 1:
//
//   angle = position / 10000^(2i/k)
//   turned[a] = x[a] cos(angle) - x[b] sin(angle)
//   turned[b] = x[a] sin(angle) + x[b] cos(angle)
//
// A turn keeps lengths, and the dot product of a query turned by m with a key turned by n depends on m - n
// alone: scores know how far two words are apart, and not where they are. The way back turns by the
// negative angle. There is nothing to learn here. Cross-attention is not rotated: its two sides count
// differently.

// How far pair i of a head of k columns is turned, in radians.
double rotary_angle(double position, int pair, int k);

template <class Scalar>
class Rotary {
 public:
  Rotary(int length, const RotaryPairs& pairs);  // for positions 0 .. length - 1

  // Rows (n, heads * k) of the places from `first` on, in place: a sentence's, or one row alone. Where no
  // token has a position nothing is turned.
  void rotate(const GivenPositions& positions, int first, MatrixRef<Scalar> rows) const;
  // The gradient's way: from d turned to d x.
  void rotate_back(const GivenPositions& positions, int first, MatrixRef<Scalar> d_rows) const;

 private:
  void turn(Scalar direction, const GivenPositions& positions, int first, MatrixRef<Scalar> rows) const;

  RotaryPairs pairs_;
  Matrix<Scalar> cosines_, sines_;  // (length, k / 2)
};

extern template class Rotary<float>;
extern template class Rotary<double>;

}  // namespace glassformer
