// What changes did to one sentence: word by word, and to its loss.
#pragma once

#include <vector>

#include "engine/model/what_if/what_if.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// One place of the target, both models having read the same words before it.
struct PlaceEffect {
  int word = 0;  // written there by the untouched model, or the right one
  // What its logit is compared with: the word that the changed model prefers; where that is `word` itself,
  // the untouched model's likeliest other word.
  int against = 0;
  double before = 0, after = 0;  // log-probability of the word
  double kl = 0;                 // KL(untouched || changed) of all words, in nats
  // Logit of the word less that of `against`: what moves between the two, whatever the others do.
  double logit_difference_before = 0, logit_difference_after = 0;
  int best_before = 0, best_after = 0;  // the likeliest word
};

struct SentenceEffect {
  std::vector<PlaceEffect> places;
  double loss_before = 0, loss_after = 0;  // smoothed, mean over the places
};

// `source` with its eos; `words` end with eos where the sentence ends. The changed model reads step by step:
// a mask that is off shows it no word that is not yet there. A change of a place speaks of this sentence.
SentenceEffect sentence_effect(const Transformer<float>& model, const WhatIf& what_if,
                               const Substitutes& substitutes, const std::vector<int>& source,
                               const std::vector<int>& words, double smoothing);

// The logit difference of any two words at each place, untouched and changed.
struct LogitDifference {
  double before = 0, after = 0;
};
std::vector<LogitDifference> logit_differences(const Transformer<float>& model, const WhatIf& what_if,
                                               const Substitutes& substitutes, const std::vector<int>& source,
                                               const std::vector<int>& words, int word, int other);

}  // namespace glassformer
