// From logits to the choice of a token. Internal to engine/decode.
#pragma once

#include <span>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/math/random.h"

namespace glassformer {

// The `count` likeliest tokens, best first, ties to the lowest id. `log_sum` is log(sum exp(logits)).
template <class Scalar>
void likeliest(std::span<const Scalar> logits, double log_sum, int count, std::vector<Candidate>& best);

// Draws a token: logits / temperature, the top_k likeliest of them, of these the fewest that together have at
// least the share top_p. Temperature 0 takes the likeliest.
template <class Scalar>
int sample(std::span<const Scalar> logits, const DecodeOptions& options, Random& random);

}  // namespace glassformer
