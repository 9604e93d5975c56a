#include "engine/decode/prefix_decoder.h"

#include <utility>

#include "engine/decode/incremental.h"
#include "engine/math/error.h"

namespace glassformer {

void refuse_more_words(int max_length) {
  throw Error("decoding", "the model writes at most " + std::to_string(max_length) + " tokens, bos included");
}

template <class Scalar>
std::unique_ptr<PrefixDecoder<Scalar>> make_decoder(const ChangedModel<Scalar>& model,
                                                    const DecoderPanels<Scalar>* panels,
                                                    const DecoderInput& input) {
  if (reads_ahead(model.what_if())) return std::make_unique<WholePrefixDecoder<Scalar>>(model, input);
  return std::make_unique<IncrementalDecoder<Scalar>>(model, panels, input);
}

template std::unique_ptr<PrefixDecoder<float>> make_decoder(const ChangedModel<float>&,
                                                            const DecoderPanels<float>*, const DecoderInput&);
template std::unique_ptr<PrefixDecoder<double>> make_decoder(const ChangedModel<double>&,
                                                             const DecoderPanels<double>*,
                                                             const DecoderInput&);

template <class Scalar>
WholePrefixDecoder<Scalar>::WholePrefixDecoder(const ChangedModel<Scalar>& model, const DecoderInput& input)
    : model_(model), input_(input), written_(input.sources.size()) {
  for (std::size_t i = 0; i < input.sources.size(); ++i) sentence_.push_back(static_cast<int>(i));
}

// A row at a time: a change at a place is of one sentence, and its rows are all of the same.
template <class Scalar>
const Matrix<Scalar>& WholePrefixDecoder<Scalar>::step(std::span<const int> ids) {
  logits_.resize(std::ssize(written_), model_.model().config.target_vocab);
  for (std::size_t row = 0; row < written_.size(); ++row) {
    std::vector<int>& written = written_[row];
    if (std::ssize(written) >= input_.max_length) refuse_more_words(input_.max_length);
    written.push_back(ids[row]);
    Batch batch;
    batch.rules.mask_padding.fill(false);
    batch.source.add(input_.sources[static_cast<std::size_t>(sentence_[row])]);
    batch.target_in.add(written);
    batch.target_out.add(written);
    const int number = input_.first_sentence + sentence_[row];
    model_.change(batch, number);
    WhatIfTap<Scalar> tap = model_.tap();
    tap.rows_of(batch, number);
    model_.model().forward(batch, saved_, tap);
    logits_.row(static_cast<Eigen::Index>(row)) = saved_.logits.row(std::ssize(written) - 1);
  }
  return logits_;
}

template <class Scalar>
void WholePrefixDecoder<Scalar>::select(std::span<const int> from) {
  std::vector<int> sentence;
  std::vector<std::vector<int>> written;
  for (const int row : from) {
    sentence.push_back(sentence_[static_cast<std::size_t>(row)]);
    written.push_back(written_[static_cast<std::size_t>(row)]);
  }
  sentence_ = std::move(sentence);
  written_ = std::move(written);
}

template class WholePrefixDecoder<float>;
template class WholePrefixDecoder<double>;

}  // namespace glassformer
