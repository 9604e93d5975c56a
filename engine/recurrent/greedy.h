// Greedy search with a recurrent model.
#pragma once

#include "engine/decode/decode.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

// The likeliest word after another until eos or max_length, all sources side by side; one result per source
// (ids, eos included where the model wants it). Of the options, max_length, forced, alternatives and pool
// count. Throws Error on another search, on an id outside the vocabulary and on a sentence that is too long.
template <class Scalar>
std::vector<DecodeResult> decode(const RecurrentModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going = {});

}  // namespace glassformer
