// Every value of one sentence's way through a recurrent model, as computed: for looking at.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/model/trace.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

// One layer of one side: a row a word that it has read.
struct GruTrace {
  Matrix<float> previous;  // (N, d) h, the state that the word finds
  Matrix<float> gates;     // (N, 3d) r, z, n
  Matrix<float> output;    // (N, d) h' = (1 - z) n + z h
};

struct RecurrentTrace {
  std::vector<int> source, target_in;      // as read: eos of the source and bos of the target included
  std::vector<GruTrace> encoder, decoder;  // a layer each
  RowVector<float>
      handed_over;        // (d) the state of the encoder's last layer after the last word: the one vector
  Matrix<float> weights;  // (N_t, N_s) alignment; without attention no rows
};

// `source` with its eos, `target_in` from bos on. Throws Error as forward() does.
RecurrentTrace trace(const RecurrentModel<float>& model, const std::vector<int>& source,
                     const std::vector<int>& target_in);

// Every value of a forward pass of a recurrent model by its name (names.h), as record_trace has those of a
// Transformer: of all sentences, padded with 0 to the longest.

// Of the last forward pass, before loss(), on `batch`: B sentences of up to S source and T target tokens.
//   embedded (B, S or T, d); of each layer reset, update, candidate and state (B, S or T, d), last (B, d):
//   the state after the last word; weights (B, T, S) and context (B, T, d) with attention; logits (B, T, V_t)
std::map<std::string, Tensor, std::less<>> recorded_values(const RecurrentModel<float>& model,
                                                           const Batch& batch, RecurrentSaved<float>& saved);

}  // namespace glassformer
