// The ways to search for a translation. Internal to engine/decode.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/decode/decoder_panels.h"

namespace glassformer {

// Some sentences that are decoded together on one thread.
struct SearchJob {
  std::span<const std::vector<int>> sources;
  std::span<DecodeResult> results;  // as many
  int first_sentence = 0;           // number of the first in the whole call: seeds the sampling
  int max_length = 0;               // bos counts
  std::function<bool()> keep_going;
  WorkerPool* pool = nullptr;  // for its products, when it is the only job
};

template <class Scalar>
void search_step_by_step(const Transformer<Scalar>& model, const DecoderPanels<Scalar>* panels,
                         const SearchJob& job, const DecodeOptions& options);
template <class Scalar>
void search_beam(const Transformer<Scalar>& model, const DecoderPanels<Scalar>* panels, const SearchJob& job,
                 const DecodeOptions& options);

}  // namespace glassformer
