// How well sentences of each length are written: what one vector cannot hold shows here.
#pragma once

#include <span>
#include <vector>

#include "engine/text/data.h"

namespace glassformer {

// Of the pairs whose source has so many words (tokens, eos not counted).
struct LengthScore {
  int words = 0;
  long pairs = 0;
  long right = 0;        // written as the target is, to the end
  double share() const;  // 0 to 1; NaN without pairs
};

// A score for each length from 1 to that of the longest source, those without pairs too. `written`: what any
// decoder wrote for each pair, eos included when it was reached (DecodeResult::ids); what has not ended is
// not right. Pairs with an empty source count nowhere. Throws Error when there are not as many as pairs.
std::vector<LengthScore> length_scores(std::span<const EncodedPair> pairs,
                                       std::span<const std::vector<int>> written, int eos_id);

}  // namespace glassformer
