// The ways to search for a translation, for any model that writes word by word: what a search knows of the
// model is its decoder (prefix_decoder.h), its special ids and its limits.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/decode/prefix_decoder.h"

namespace glassformer {

template <class Scalar>
using MakeDecoder = std::function<std::unique_ptr<PrefixDecoder<Scalar>>(const DecoderInput&)>;

// Throws Error on options that cannot be, on a forced token that is forbidden, on a sentence that is too long
// for the model and on ids outside its vocabularies. Of `config`, the vocabularies and max_length count.
void check_search(const std::vector<std::vector<int>>& sources, const DecodeOptions& options,
                  const Config& config);

// The decoder, for which the forbidden ids of `config` (which outlives it) are never the next one.
template <class Scalar>
std::unique_ptr<PrefixDecoder<Scalar>> without_forbidden(std::unique_ptr<PrefixDecoder<Scalar>> decoder,
                                                         const Config& config);

// One result per source (ids, eos included where the model wants it), by the search of the options and the
// decoders that `make` gives: one for each group of sentences, on the threads of options.pool. Of `config`,
// bos_id and eos_id count; `max_length`: bos counts. `keep_going` as in decode().
template <class Scalar>
std::vector<DecodeResult> search_all(const std::vector<std::vector<int>>& sources,
                                     const DecodeOptions& options, const Config& config, int max_length,
                                     const MakeDecoder<Scalar>& make,
                                     const std::function<bool()>& keep_going);

// Some sentences that are decoded together on one thread. Internal to engine/decode, like what follows.
struct SearchJob {
  std::span<DecodeResult> results;  // for each row that the decoder begins with
  int first_sentence = 0;           // number of the first in the whole call: seeds the sampling
  int max_length = 0;               // bos counts
  int bos_id = 2, eos_id = 3;
  std::function<bool()> keep_going;
};

template <class Scalar>
void search_step_by_step(PrefixDecoder<Scalar>& decoder, const SearchJob& job, const DecodeOptions& options);
template <class Scalar>
void search_beam(PrefixDecoder<Scalar>& decoder, const SearchJob& job, const DecodeOptions& options);

}  // namespace glassformer
