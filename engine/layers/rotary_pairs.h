// Which columns of a head rotary positions turn together. The Walk's sources take the two for neighbours.
#pragma once

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

}  // namespace glassformer
