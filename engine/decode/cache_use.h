// What a decoder computes for one more word, with the keys and values of the words before it kept and
// without. "Attention Is All You Need", section 3.2.3: a masked row reads only what is before it, so rows
// once computed never change.
#pragma once

#include <vector>

#include "engine/model/what_if/changed_model.h"

namespace glassformer {

// Multiplications of the matrix products of one step; additions, norms and softmax are not counted.
struct StepCost {
  long long projections = 0;   // to queries, keys and values, and W_O, of both attentions
  long long attention = 0;     // queries with keys, weights with values
  long long feed_forward = 0;  // all its layers
  long long output = 0;        // to the logits
  long long encoder = 0;       // of the source, where it is run again
  long long all() const { return projections + attention + feed_forward + output + encoder; }
};

// The step that reads word number `words` (bos is the first) of a translation of so many source tokens. What
// the cache is filled with before the first word, the encoder and the memory's keys and values, is
// `before_first`.
StepCost cost_with_cache(const Config& config, int source, int words);
StepCost cost_without_cache(const Config& config, int source, int words);
StepCost cost_before_first(const Config& config, int source);

struct CacheStep {
  int read = 0;  // the word that is new: bos at first
  StepCost with, without;
  double difference = 0;  // the largest between the logits of both; NaN: they are not finite
};

struct CacheUse {
  // False: a change lets words read ahead, so nothing can be kept. Every step is one without the cache; there
  // is no other to count (`before`, `with`) or to compare it with.
  bool kept = true;
  StepCost before;  // once, before the first word, with the cache: encoder and the memory's keys and values
  std::vector<CacheStep> steps;
  // Milliseconds of this machine, each the shortest of three: the encoder and all steps one after the other,
  // with the cache where one is kept; the encoder and all rows in one pass, as when they are learned.
  double in_turn_ms = 0, at_once_ms = 0;
};

// Both decoders over the same words, as far as the model can write; bos is read first, the last word is not
// read any more.
template <class Scalar>
CacheUse compare_with_cache(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                            const std::vector<int>& words);

}  // namespace glassformer
