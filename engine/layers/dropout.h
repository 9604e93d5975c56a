// Dropout: while training, each number is set to 0 with probability p and the others grow by 1 / (1 - p), so
// that the mean stays (paper, section 5.4).
//
// Which ones go is decided by scrambling (key, place, element number): no state is kept, the backward pass
// asks again and gets the same answer, and any thread may ask for any part. p is rounded to a multiple of
// 1/65536.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glassformer {

struct Dropout {
  double p = 0;           // 0: nothing happens
  std::uint64_t key = 0;  // of this seed, step and place in the model

  bool active() const { return p > 0; }
  double growth() const;                  // 1 / (1 - p) of what stays
  Dropout at(std::uint64_t place) const;  // for one place in the model
};

// In place on `count` numbers that belong together and whose first has the number `first` at this place.
// Forward and backward are the same call. Both must cut the numbers in the same way.
template <class Scalar>
void drop(Scalar* values, std::size_t count, std::size_t first, const Dropout& dropout);

}  // namespace glassformer
