// The pairs of a grammar that a run held out, with the links of their words.
#pragma once

#include <vector>

#include "engine/text/aligned_pair.h"
#include "engine/text/data.h"

namespace glassformer {

// Generated again as `options` say of the training data, in the order given. Throws Error when these are no
// grammar's, and when it does not give these pairs.
std::vector<AlignedPair> aligned_pairs(const DataOptions& options, const std::vector<SentencePair>& held_out);

}  // namespace glassformer
