// What the padding mask of each attention is good for, in numbers: other words are in the place of the
// padding, and the question is which rows notice (paper, section 3.2.3; the masks of the two stacks).
//
// A mask knows the padding by its id. So the ids stay, and the embeddings of the padding become those of
// other words: at each place, of the word that the longest sentence of the batch has there. What hides the
// padding hides those words too; what does not, reads them.
#pragma once

#include <array>

#include "engine/model/names.h"
#include "engine/model/trace.h"

namespace glassformer {

// Largest absolute differences between the pass with padding and the pass with words in its place; NaN where
// a number of them is not finite. Exactly 0 where nothing reads the padding.
struct PaddingEffect {
  double stack_output = 0;  // rows of words, behind the last layer and the final norm where there is one: the
                            // encoder's for its own attention, else the decoder's
  double logits = 0;        // rows of words of the target
  double padding_rows = 0;  // the rows of the padding itself in the output of their side's stack
  double loss = 0;          // of the batch, whose mean leaves the padding out
};

// What rows of words add up to where the padding is seen by the softmax and its weights are set to 0 behind
// it, over the heads of an attention's first layer; 1 where nothing of a row went to the padding.
struct ZeroedPadding {
  double mean = 1, least = 1;
};

struct PaddingStudy {
  struct Block {
    int padding = 0;  // tokens of it among the keys, of all sentences
    ZeroedPadding zeroed;
    PaddingEffect masked, seen;  // with this attention's padding mask, and without; the other two stay on
  };
  std::array<Block, 3> blocks;  // by AttentionKind
  bool causal = true;           // the decoder's own attention hides what is behind
};

// The sentences of `trace`, with all other changes in force; those to padding masks are left out. Nine
// passes. Throws Error as record_trace does.
PaddingStudy study_padding(const Transformer<float>& model, const Trace& trace, const WhatIf& what_if,
                           const Substitutes& substitutes = {}, double smoothing = 0.1);

}  // namespace glassformer
