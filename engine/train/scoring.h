// One test set for several models, and what each comes to on it: `sweep` and the window's table of runs score
// through here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/decode/decode.h"
#include "engine/text/data.h"
#include "engine/text/tokenizer.h"
#include "engine/train/evaluation.h"
#include "engine/train/sweep.h"

namespace glassformer {

class AnyModel;

// Pairs that all are scored on, and a mark by which they are known again: the same for the same pairs,
// translated by the same search.
struct TestSet {
  std::vector<SentencePair> pairs;
  std::string words, mark;  // "500 held-out pairs"
  bool in_words = true;     // lengths are counted in words; in signs where every source is a single word
  std::string note;         // which lines of the file were left out, and why the first; empty: none
  long length_of(const std::string& source) const;
};

// A file of one's own: a table of pairs. Throws Error when it is none.
TestSet test_set_of_file(const std::string& path, const DecodeOptions& decode);
// The pairs that a run was kept from: its test pairs, or those that validate where there are no others and
// `or_validation`. None is too long here: what a model cannot take it gets wrong. Throws Error when there are
// none, or the data cannot be made again, or `progress` gave up.
TestSet held_out_set(DataOptions options, const Tokenizers& tokenizers, const DecodeOptions& decode,
                     const DataProgress& progress, bool or_validation = false);

// The loss without smoothing, whatever the model was trained by. `whole`: gets all that the score is of.
// Throws Error as evaluate does; nullopt when `keep_going` gave up.
std::optional<SweepScore> score_on(const TestSet& test, const AnyModel& model, const DecodeOptions& decode,
                                   const std::function<bool()>& keep_going, const ForcedLook& look = {},
                                   Evaluation* whole = nullptr);

// The shares, 0 to 1, of source and target pieces of the pairs that the tokenizers do not know.
struct UnknownShares {
  double source = 0, target = 0;
};
UnknownShares unknown_shares(const std::vector<SentencePair>& pairs, const Tokenizers& tokenizers);

// Ranges of source lengths, the same for all scores.
struct LengthRange {
  long first = 1, last = 1;
  std::string words() const;  // "3", "1-2"
};
std::vector<LengthRange> length_ranges(const std::vector<SweepScore>& scores);
// Exact match among sources of that length, 0 to 1; NaN where there are none.
double exact_within(const SweepScore& score, const LengthRange& range);

}  // namespace glassformer
