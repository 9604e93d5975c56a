// Adam (paper, section 5.3): a step against the gradient, each number at its own pace.
//
//   m = b1 m + (1 - b1) g          v = b2 v + (1 - b2) g^2
//   w = w - rate * (m / (1 - b1^s)) / (sqrt(v / (1 - b2^s)) + eps)
#pragma once

#include <cstddef>

namespace glassformer {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-9;
};

struct AdamStep {
  long step = 1;  // s = 1, 2, ...: both moments are corrected for having started at 0
  double rate = 1e-3;
  double gradient_scale = 1;  // clipping
  AdamOptions options;
};

// One array of `size` numbers: weights, their gradient, and the two moments, which are updated in place.
template <class Scalar>
void adam_update(Scalar* weights, const Scalar* gradient, Scalar* first_moment, Scalar* second_moment,
                 std::size_t size, const AdamStep& step);

// min(1, clip / (norm + 1e-6)); 1 when clip is 0.
double clip_scale(double gradient_norm, double clip);

}  // namespace glassformer
