// The ways to search for a translation. Internal to engine/decode.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/decode/prefix_decoder.h"

namespace glassformer {

// Some sentences that are decoded together on one thread.
struct SearchJob : DecoderInput {
  std::span<DecodeResult> results;  // as many as sources
  std::function<bool()> keep_going;
};

template <class Scalar>
void search_step_by_step(const ChangedModel<Scalar>& model, const DecoderPanels<Scalar>* panels,
                         const SearchJob& job, const DecodeOptions& options);
template <class Scalar>
void search_beam(const ChangedModel<Scalar>& model, const DecoderPanels<Scalar>* panels, const SearchJob& job,
                 const DecodeOptions& options);

}  // namespace glassformer
