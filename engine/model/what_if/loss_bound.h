// A lower bound of a model's loss, for a fraction of the work.
//
// Words that are an answer somewhere in the batch have a logit each; of the n others only their mean is
// computed, which is one product with the mean of their rows. By Jensen's inequality the others' sum of exp
// is n exp(mean) at least, so the bound is below the loss by what the others differ among each other: little
// in a trained model, which gives all that is never an answer about the same small share (label smoothing).
#pragma once

#include <span>
#include <vector>

#include "engine/math/product.h"
#include "engine/model/transformer.h"

namespace glassformer {

class LossBound {
 public:
  // Of the words of `answers`, padding left out; a loss smoothed as cross_entropy.h has it.
  LossBound(const Transformer<float>& model, const PackedIds& answers, double smoothing);

  // Whether less than a quarter of all words is an answer: else the loss itself costs hardly more.
  bool saves_work() const { return 4 * answer_words_ < vocabulary_; }
  // decoder_output (n, d), wanted: n ids of `answers` or padding -> losses (n), 0 where padding is wanted.
  void losses(const Matrix<float>& decoder_output, std::span<const int> wanted,
              std::span<double> losses) const;

 private:
  int vocabulary_, answer_words_ = 0, pad_id_;
  double smoothing_;
  std::vector<int> column_;   // of each word that is an answer
  Panels<float> projection_;  // (d, answers + 1): the last column is the mean of the others
  RowVector<float> bias_;     // (answers + 1)
};

}  // namespace glassformer
