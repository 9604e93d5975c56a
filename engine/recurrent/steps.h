// The order in which a recurrent layer reads sentences: step by step, all sentences of a chunk side by side.
//
//   sentences       rows by step          The longest is first, so that those that still have a word at a
//   a b c           a d f | b e | c       step are the first ones, one below the other. A sentence that has
//   d e                                   ended has no row any more: its state stays what it was, and no
//   f                                     padding is computed.
//
// Each step is then one product of a block of rows, and row p of a step continues row p of the one before.
#pragma once

#include <vector>

#include "engine/math/matrix.h"
#include "engine/model/batch.h"

namespace glassformer {

class Steps {
 public:
  // So many sentences from `first_sentence` on. Their rows by step are those of their tokens in the batch.
  void arrange(const PackedIds& ids, int first_sentence, int sentences);
  // One step, a row for each of so many sentences.
  void arrange_single(int sentences);

  int steps() const { return static_cast<int>(first_.size()) - 1; }
  int rows() const { return first_.back() - first_.front(); }
  int first_row() const { return first_.front(); }
  int first(int step) const { return first_[static_cast<std::size_t>(step)]; }
  int count(int step) const { return first(step + 1) - first(step); }  // sentences with a word at this step
  int widest() const { return steps() > 0 ? count(0) : 0; }            // sentences that have a word at all

  int sentences() const { return static_cast<int>(order_.size()); }
  int sentence(int place) const {
    return order_[static_cast<std::size_t>(place)];
  }  // its number in the batch
  int place(int sentence) const { return places_[static_cast<std::size_t>(sentence - first_sentence_)]; }
  int length(int place) const { return lengths_[static_cast<std::size_t>(place)]; }
  int last_row(int place) const { return first(length(place) - 1) + place; }  // of a sentence with a word
  // The token of the batch that is in a row.
  int token(int row) const { return tokens_[static_cast<std::size_t>(row - first_row())]; }

  // All rows of the chunk, from the order of the batch into that of the steps, and back.
  template <class Scalar>
  void to_steps(const ConstMatrixRef<Scalar>& sentences, Matrix<Scalar>& steps) const {
    for (int row = first_row(); row < first_.back(); ++row) steps.row(row) = sentences.row(token(row));
  }
  template <class Scalar>
  void to_sentences(const Matrix<Scalar>& steps, MatrixRef<Scalar> sentences) const {
    for (int row = first_row(); row < first_.back(); ++row) sentences.row(token(row)) = steps.row(row);
  }

 private:
  std::vector<int> first_ = {0};  // T + 1
  int first_sentence_ = 0;
  std::vector<int> order_;    // of the places
  std::vector<int> places_;   // of the sentences
  std::vector<int> lengths_;  // of the places
  std::vector<int> tokens_;   // of the rows
};

}  // namespace glassformer
