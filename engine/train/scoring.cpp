#include "engine/train/scoring.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/math/error.h"
#include "engine/math/text_hash.h"
#include "engine/text/unicode.h"
#include "engine/train/any_model.h"
#include "engine/train/bleu.h"
#include "engine/train/evaluation.h"

namespace glassformer {

namespace {

std::string mark_of(const std::vector<SentencePair>& pairs, const DecodeOptions& decode) {
  std::uint64_t hash = kHashOfNothing;
  for (const SentencePair& pair : pairs) hash = text_hash(pair.source + '\n' + pair.target + '\n', hash);
  const int beam = decode.search == Search::beam ? decode.beam : 0;
  return std::to_string(pairs.size()) + " pairs, " + std::to_string(hash) + ", beam " + std::to_string(beam) +
         ", alpha " + nlohmann::json(decode.alpha).dump();
}

TestSet test_set(std::vector<SentencePair> pairs, const std::string& what, const DecodeOptions& decode) {
  TestSet test{.pairs = std::move(pairs)};
  test.words = std::to_string(test.pairs.size()) + what;
  test.mark = mark_of(test.pairs, decode);
  test.in_words = std::ranges::any_of(
      test.pairs, [](const SentencePair& pair) { return split_words(pair.source).size() > 1; });
  return test;
}

}  // namespace

long TestSet::length_of(const std::string& source) const {
  return static_cast<long>(in_words ? split_words(source).size() : code_points(source).size());
}

TestSet test_set_of_file(const std::string& path, const DecodeOptions& decode) {
  Corpus corpus = read_pairs({.corpus = path}, 0);
  TestSet test = test_set(std::move(corpus.pairs), " pairs of " + path, decode);
  if (!corpus.rejected.empty())
    test.note = std::to_string(corpus.rejected.size()) + " lines are left out, the first is line " +
                std::to_string(corpus.rejected[0].line) + ": " + corpus.rejected[0].reason;
  return test;
}

TestSet held_out_set(DataOptions options, const Tokenizers& tokenizers, const DecodeOptions& decode,
                     const DataProgress& progress, bool or_validation) {
  options.max_tokens = 0;
  PreparedData data = prepare_data(options, progress, tokenizers);
  const bool validation = data.test.pairs.empty() && or_validation;
  std::vector<SentencePair>& pairs = validation ? data.validation.pairs : data.test.pairs;
  if (pairs.empty()) throw Error(data.report.name, "no pairs are held out; choose a file of pairs instead");
  return test_set(std::move(pairs), validation ? " pairs that validate" : " held-out pairs", decode);
}

std::optional<SweepScore> score_on(const TestSet& test, const AnyModel& model, const DecodeOptions& decode,
                                   const std::function<bool()>& keep_going, const ForcedLook& look,
                                   Evaluation* whole) {
  EvaluationOptions options{.decode = decode, .smoothing = 0, .look = look};
  options.progress = [&](long, long) { return keep_going(); };
  auto result = model.evaluate(test.pairs, options);
  if (!result) return std::nullopt;
  SweepScore score{.exact_match = result->exact_match, .bleu = result->bleu, .loss = result->loss};
  std::vector<std::string> references;
  for (const SentencePair& pair : test.pairs) references.push_back(pair.target);
  if (too_short_for_bleu(references)) score.bleu = std::nan("");
  for (std::size_t i = 0; i < test.pairs.size(); ++i) {
    auto& [right, all] = score.by_length[test.length_of(test.pairs[i].source)];
    right += result->right[i] ? 1 : 0;
    ++all;
  }
  if (whole) *whole = std::move(*result);
  return score;
}

UnknownShares unknown_shares(const std::vector<SentencePair>& pairs, const Tokenizers& tokenizers) {
  const auto share = [&](const Tokenizer& tokenizer, std::string SentencePair::*side) {
    long unknown = 0, all = 0;
    for (const SentencePair& pair : pairs)
      for (const Piece& piece : tokenizer.encode(pair.*side)) unknown += piece.unknown ? 1 : 0, ++all;
    return all > 0 ? static_cast<double>(unknown) / static_cast<double>(all) : 0.0;
  };
  if (!tokenizers.source || !tokenizers.target) return {1, 1};
  return {share(*tokenizers.source, &SentencePair::source), share(*tokenizers.target, &SentencePair::target)};
}

std::string LengthRange::words() const {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

std::vector<LengthRange> length_ranges(const std::vector<SweepScore>& scores) {
  long longest = 0;
  for (const SweepScore& score : scores)
    if (!score.by_length.empty()) longest = std::max(longest, score.by_length.rbegin()->first);
  std::vector<LengthRange> ranges;
  const long width = length_width(std::max(1L, longest));
  for (long first = 1; first <= longest; first += width) ranges.push_back({first, first + width - 1});
  return ranges;
}

double exact_within(const SweepScore& score, const LengthRange& range) {
  long right = 0, all = 0;
  for (const auto& [length, counts] : score.by_length) {
    if (std::max(1L, length) < range.first || std::max(1L, length) > range.last) continue;
    right += counts.first;
    all += counts.second;
  }
  return all > 0 ? static_cast<double>(right) / static_cast<double>(all) : std::nan("");
}

}  // namespace glassformer
