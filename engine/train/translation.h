// From lines of text to translations: cleaning, pieces, search in batches of similar length, and back to
// text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/model/snapshot.h"
#include "engine/model/what_if/what_if.h"
#include "engine/model/what_if/what_if_tap.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// Asked between batches; false aborts.
using TranslationProgress = std::function<bool(long done, long all)>;

// One result per source, in the order of the sources (ids as the model wants them, eos included where it ends
// the source). Empty when `progress` gave up.
std::vector<DecodeResult> translate_ids(const Transformer<float>& model,
                                        const std::vector<std::vector<int>>& sources,
                                        const DecodeOptions& options,
                                        const TranslationProgress& progress = {});

struct ChangesInForce {
  WhatIf what_if;
  Substitutes substitutes;
};

struct Translation {
  std::vector<Piece> pieces;    // of the source, without eos
  std::vector<int> source_ids;  // as the model reads them
  std::string text;
  DecodeResult result;
  ChangesInForce changes = {};
  std::string problem;  // why the text is empty: "the sentence has 70 tokens, the model takes 63"; else empty
};

// What is changed in the model for a line. It gets what the model writes without changes, as
// places and words of a change are those of the line; an Error that it throws is the line's problem.
using LineChanges = std::function<ChangesInForce(const Translation& untouched)>;  // null: nothing is changed

// An empty line gives an empty translation. Throws Error when the model has no tokenizers.
std::vector<Translation> translate_lines(const Snapshot& model, const Tokenizers& tokenizers,
                                         const std::vector<std::string>& lines, const DecodeOptions& options,
                                         const TranslationProgress& progress = {},
                                         const LineChanges& changes = {});
// A recurrent model has nothing to change.
std::vector<Translation> translate_lines(const RecurrentModel<float>& model, const Tokenizers& tokenizers,
                                         const std::vector<std::string>& lines, const DecodeOptions& options,
                                         const TranslationProgress& progress = {});

}  // namespace glassformer
