// A classic mistake beside what is right, in the decoder's own attention (paper, section 3.2.3). Scores of −∞
// before the softmax hide the words to come, and what is left shares out a whole 1. Weights of 0 behind the
// softmax hide them too, but what the softmax had given them is thrown away: rows no longer add up to 1.
//
// Both start from the same scores, those of the pass that masks as it should. In a pass that makes the
// mistake everywhere, layers above the first would have others: what they read is not the same any more.
#pragma once

#include <vector>

#include "engine/math/matrix.h"
#include "engine/model/trace.h"

namespace glassformer {

// Of one sentence and head, padding behind the sentence included.
struct MistakenHead {
  Matrix<float> scores;    // (L, L) before any mask
  Matrix<float> right;     // (L, L) weights: −∞ before the softmax
  Matrix<float> spread;    // (L, L) what the softmax gives when it sees the words to come
  Matrix<float> mistaken;  // (L, L) the same, then 0 for the words to come

  double right_sum(int row) const;
  double kept(int row) const;         // sum of a row of the mistake
  double thrown_away(int row) const;  // what it had given to the words to come
};

struct MaskMistake {
  bool causal = true;                            // false: no mask hides the words to come, all else is empty
  std::vector<std::vector<MistakenHead>> heads;  // by sentence and head
  // Of the sentences, by the pass as it should be and by one that makes the mistake in every layer.
  double right_loss = 0, mistaken_loss = 0;
};

// One layer, on the sentences of `trace`, with all changes in force. Three passes of the engine. Throws Error
// for a layer that the decoder does not have, and as record_trace does.
MaskMistake study_mask_mistake(const Transformer<float>& model, const Trace& trace, int layer,
                               const TraceOptions& options = {});

}  // namespace glassformer
