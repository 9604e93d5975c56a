// Is attention an alignment? How far what a model reads for a word is from the words that it translates, with
// the right words given: each score of the row that predicts a word links it to the source token where the
// score is largest.
#pragma once

#include <vector>

#include "engine/math/matrix.h"
#include "engine/math/worker_pool.h"
#include "engine/text/aligned_pair.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// Alignment error rates in percent (alignment_error.h), over all pairs; NaN where nothing is to be linked.
struct AlignmentErrors {
  std::vector<std::vector<double>> heads;  // of cross-attention, by layer and head
  std::vector<double> layers;              // the mean of a layer's heads
  double gradient = 0;                     // the gradient of the right word's log-probability times the input
  double muting = 0;                       // how much that falls without a source piece's embedding
  double diagonal = 0;                     // the token at the same share of the source, which no model needs
};

// Throws Error for a model without tokenizers, as piece_owners does, and for a pair that is too long.
AlignmentErrors alignment_errors(const Transformer<float>& model, const Tokenizers& tokenizers,
                                 const std::vector<AlignedPair>& pairs, WorkerPool* pool = nullptr);

// What the rates are worked out from, for one pair of ids (no bos, no eos): (target pieces, source pieces) of
// each head of cross-attention, behind those of a layer their mean; then the gradient's, |sum over the
// features of embedding times d log p / d embedding|, and muting's, log p less that with the embedding at 0.
// An embedding here is the word's, without its position.
std::vector<Matrix<double>> source_scores(const Transformer<float>& model, const std::vector<int>& source,
                                          const std::vector<int>& target);

}  // namespace glassformer
