// Which pairs train, which validate, which test: drawn from a seed, by source side.
//
// One source sentence often has several translations. If one of them were trained on and another held out,
// the model would be asked what it has seen: so all pairs of a source are on one side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/text/corpus.h"

namespace glassformer {

struct SplitSizes {
  long validation = 0;  // pairs wanted; reached or passed by the last source's translations
  long test = 0;
};

struct Split {
  std::vector<std::size_t> training, validation, test;  // indices into the pairs, ascending
};

// Throws Error when nothing would be left to train on.
Split split_by_source(const std::vector<SentencePair>& pairs, const SplitSizes& sizes, std::uint64_t seed);

}  // namespace glassformer
