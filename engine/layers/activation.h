// The bend between the two products of the feed-forward layer.
#pragma once

#include <cstddef>

namespace glassformer {

enum class Activation {
  relu,
  gelu,         // in its erf form
  swish,        // x * sigmoid(x)
  gelu_sigmoid  // x * sigmoid(1.702 x): what Marian calls gelu (Hendrycks and Gimpel 2016, section 2)
};
inline constexpr double kGeluSigmoid = 1.702;

// How the scores of a row of attention become its weights: shares of one whole, or max(0, score) / n over the
// n keys that the mask leaves, which nothing makes add up to 1 (Wortsman et al. 2023).
enum class AttentionActivation { softmax, relu };

// y[i] = f(x[i]); x and y may be the same memory.
template <class Scalar>
void activate(Activation kind, const Scalar* x, Scalar* y, std::size_t count);

// d[i] *= f'(x[i])
template <class Scalar>
void activate_backward(Activation kind, const Scalar* x, Scalar* d, std::size_t count);

}  // namespace glassformer
