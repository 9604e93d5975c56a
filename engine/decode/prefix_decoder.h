// Translations being written word by word, a row each: what every search asks of the decoder.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/decode/decoder_panels.h"
#include "engine/math/worker_pool.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

// A row is one translation being written: one per sentence in greedy search, several in beam search. All rows
// have the same length.
template <class Scalar>
class PrefixDecoder {
 public:
  virtual ~PrefixDecoder() = default;
  // Writes one token at the end of each row (the first is bos) and gives the logits (rows, V_t) of the next
  // one. Throws Error beyond max_length.
  virtual const Matrix<Scalar>& step(std::span<const int> ids) = 0;
  // From now on row i continues what was row from[i]: for dropping finished rows, and for beams that
  // split.
  virtual void select(std::span<const int> from) = 0;
};

// What is decoded, and with what.
struct DecoderInput {
  std::span<const std::vector<int>> sources;
  int first_sentence = 0;  // number of the first in the whole call: seeds the sampling, says which is changed
  int max_length = 0;      // bos counts
  WorkerPool* pool = nullptr;  // for its products, when there is no other job
};

// Throws the Error of a row that is full.
[[noreturn]] void refuse_more_words(int max_length);

// The one that keeps what it has computed (incremental.h), or, under a change that lets a word see what is
// written behind it, the one that computes everything anew (WholePrefix). `panels` are those of the
// changed model, or null where few rows are written.
template <class Scalar>
std::unique_ptr<PrefixDecoder<Scalar>> make_decoder(const ChangedModel<Scalar>& model,
                                                    const DecoderPanels<Scalar>* panels,
                                                    const DecoderInput& input);

// The decoder without a memory: at every word the whole forward pass over all that is written. Slower than
// IncrementalDecoder, and right under every change; where both are, they agree.

template <class Scalar>
class WholePrefixDecoder : public PrefixDecoder<Scalar> {
 public:
  // `model` and the sources must outlive this.
  WholePrefixDecoder(const ChangedModel<Scalar>& model, const DecoderInput& input);

  const Matrix<Scalar>& step(std::span<const int> ids) override;
  void select(std::span<const int> from) override;

 private:
  const ChangedModel<Scalar>& model_;
  DecoderInput input_;
  std::vector<int> sentence_;              // of each row
  std::vector<std::vector<int>> written_;  // of each row, bos first
  Saved<Scalar> saved_;
  Matrix<Scalar> logits_;  // (rows, V_t)
};

extern template class WholePrefixDecoder<float>;
extern template class WholePrefixDecoder<double>;

}  // namespace glassformer
