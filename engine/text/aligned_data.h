// The pairs of a grammar that a run held out, with the links of their words.
#pragma once

#include <vector>

#include "engine/text/aligned_pair.h"
#include "engine/text/data.h"

namespace glassformer {

// Generated again as `options` say, in the order given. Throws Error when the data are no grammar's, and when
// it no longer gives these pairs.
std::vector<AlignedPair> aligned_pairs(const DataOptions& options, const std::vector<SentencePair>& held_out);

}  // namespace glassformer
