// Every value of one sentence's way through a recurrent model, as it was computed: for looking at.
#pragma once

#include <vector>

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

}  // namespace glassformer
