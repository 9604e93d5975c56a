// Every value of a forward pass of a recurrent model by its name (names.h), as record_trace has those of a
// Transformer: of all sentences, padded with 0 to the longest.
#pragma once

#include <map>
#include <string>

#include "engine/model/trace.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

// Of the last forward pass, before loss(), on `batch`: B sentences of up to S source and T target tokens.
//   embedded (B, S or T, d); of each layer reset, update, candidate and state (B, S or T, d), last (B, d):
//   the state after the last word; weights (B, T, S) and context (B, T, d) with attention; logits (B, T, V_t)
std::map<std::string, Tensor, std::less<>> recorded_values(const RecurrentModel<float>& model,
                                                           const Batch& batch, RecurrentSaved<float>& saved);

}  // namespace glassformer
