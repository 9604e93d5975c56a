// From logits to the choice of a token: what sampling draws from, and the draw.
#pragma once

#include <span>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/math/random.h"

namespace glassformer {

// The `count` likeliest tokens, best first, ties to the lowest id; none that may not be written (a logit of
// -inf). `log_sum` is log(sum exp(logits)).
template <class Scalar>
void likeliest(std::span<const Scalar> logits, double log_sum, int count, std::vector<Candidate>& best);

// The tokens that sampling draws from: logits / temperature, the top_k likeliest of them, of these the fewest
// that together have at least the share top_p. At temperature 0 the likeliest alone.
struct DrawPool {
  std::vector<int> order;       // all tokens, best first, ties to the lowest id
  std::size_t after_top_k = 0;  // so many of them does top_k keep
  std::vector<double> weights;  // of those that are drawn from, the first of `order`; the likeliest has 1
  double kept_sum = 0;          // of the weights
};
template <class Scalar>
DrawPool draw_pool(std::span<const Scalar> logits, const DecodeOptions& options);

enum class ShareFate { drawn, not_allowed, cut_by_temperature, cut_by_top_k, cut_by_top_p };

// What becomes of the probability of one token. Each of the three sums to 1 over all tokens.
struct TokenShare {
  int id = 0;
  double before = 0;    // softmax of the logits
  double tempered = 0;  // softmax of logits / temperature
  double after = 0;     // how often it is drawn: 0 where it was cut
  ShareFate fate = ShareFate::drawn;
};
// All tokens, best first; one with a logit of -inf is not allowed. The logits may be less any number:
// log-probabilities do as well.
template <class Scalar>
std::vector<TokenShare> token_shares(std::span<const Scalar> logits, const DecodeOptions& options);

// Draws a token of the pool.
template <class Scalar>
int sample(std::span<const Scalar> logits, const DecodeOptions& options, Random& random);

}  // namespace glassformer
