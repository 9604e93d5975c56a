// From source sentences to what a recurrent model writes for them.
#pragma once

#include "engine/decode/decode.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

// As decode() of a Transformer: every search and all of its options. One result per source (ids, eos included
// where the model wants it). Throws Error on an id outside the vocabulary and on a sentence that is too long.
template <class Scalar>
std::vector<DecodeResult> decode(const RecurrentModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going = {});

}  // namespace glassformer
