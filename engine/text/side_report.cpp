#include "engine/text/side_report.h"

#include <algorithm>
#include <unordered_set>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

// The smallest length that at least this share of the sentences does not pass.
long percentile(const std::vector<long>& lengths, long sentences, double share) {
  long seen = 0;
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    seen += lengths[n];
    if (static_cast<double>(seen) >= share * static_cast<double>(sentences)) return static_cast<long>(n);
  }
  return 0;
}

}  // namespace

SideReport report_side(const DataPart& training, const DataPart& validation, const Tokenizer& tokenizer,
                       bool source) {
  SideReport report;
  const int unknown = tokenizer.special().unk;
  std::vector<bool> used(static_cast<std::size_t>(tokenizer.size()), false);
  for (const EncodedPair& pair : training.encoded) {
    const std::vector<int>& ids = source ? pair.source : pair.target;
    if (report.lengths.size() <= ids.size()) report.lengths.resize(ids.size() + 1, 0);
    ++report.lengths[ids.size()];
    report.tokens += static_cast<long>(ids.size());
    for (const int id : ids) {
      report.unknown += id == unknown;
      if (id != unknown && id >= 0 && id < tokenizer.size()) used[static_cast<std::size_t>(id)] = true;
    }
  }
  for (const EncodedPair& pair : validation.encoded) {
    const std::vector<int>& ids = source ? pair.source : pair.target;
    report.validation_tokens += static_cast<long>(ids.size());
    report.validation_unknown += std::count(ids.begin(), ids.end(), unknown);
  }

  const long sentences = static_cast<long>(training.encoded.size());
  const auto first = std::find_if(report.lengths.begin(), report.lengths.end(), [](long n) { return n > 0; });
  report.shortest = first == report.lengths.end() ? 0 : static_cast<long>(first - report.lengths.begin());
  report.longest = report.lengths.empty() ? 0 : static_cast<long>(report.lengths.size()) - 1;
  report.mean = sentences > 0 ? static_cast<double>(report.tokens) / static_cast<double>(sentences) : 0;
  report.median = percentile(report.lengths, sentences, 0.5);
  report.percentile_95 = percentile(report.lengths, sentences, 0.95);
  report.vocabulary = tokenizer.size();
  report.vocabulary_used = std::count(used.begin(), used.end(), true);

  std::unordered_set<std::string> words;
  for (const SentencePair& pair : training.pairs) {
    for (std::string& word : split_words(source ? pair.source : pair.target)) words.insert(std::move(word));
  }
  report.distinct_words = static_cast<long>(words.size());
  return report;
}

}  // namespace glassformer
