// A recurrent model that writes word by word. What it knows of the words before is in the state of each
// layer, so that a step costs the same wherever in the sentence it is: unlike a Transformer's cache of keys
// and values, nothing grows.
#pragma once

#include <span>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/decode/prefix_decoder.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

// What any search asks of a decoder (engine/decode/prefix_decoder.h): a step for all rows, and a choice of
// rows. In the beginning there is a row for each source.
template <class Scalar>
class RecurrentDecoder final : public PrefixDecoder<Scalar> {
 public:
  // Reads the sources (ids, eos included where the model wants it), over the threads of the input's pool.
  // `model` must outlive the decoder. Throws Error on an id outside the vocabulary and on a sentence that is
  // too long.
  RecurrentDecoder(const RecurrentModel<Scalar>& model, const DecoderInput& input);

  const Matrix<Scalar>& step(std::span<const int> ids) override;
  void select(std::span<const int> from) override;

  int rows() const { return static_cast<int>(sentences_.size()); }
  const Matrix<Scalar>& state(int layer) const {
    return states_[static_cast<std::size_t>(layer)];
  }  // (rows, d)
  // Of the last step: how row `row` looked at the words of its source; empty without attention.
  std::span<const Scalar> weights(int row) const;

 private:
  SentenceRows keys_of(int row) const;
  void attend();

  const RecurrentModel<Scalar>& model_;
  int max_length_ = 0, written_ = 0;
  RecurrentSaved<Scalar> source_;       // what the encoder left: the memory
  std::vector<int> sentences_;          // of the rows
  std::vector<Matrix<Scalar>> states_;  // of the layers (rows, d)

  // Scratch and results of a step.
  std::vector<GruPanels<Scalar>> panels_;
  Steps steps_;
  GruSaved<Scalar> layer_;
  Matrix<Scalar> input_;   // (rows, d)
  Matrix<Scalar> joined_;  // (rows, d or 2d)
  SourceAttentionSaved<Scalar> attention_;
  Matrix<Scalar> logits_;  // (rows, V_t)
};

// From source sentences to what a recurrent model writes for them.

// As decode() of a Transformer: every search and all of its options. One result per source (ids, eos included
// where the model wants it). Throws Error on an id outside the vocabulary and on a sentence that is too long.
template <class Scalar>
std::vector<DecodeResult> decode(const RecurrentModel<Scalar>& model,
                                 const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                                 const std::function<bool()>& keep_going = {});

}  // namespace glassformer
