#include "engine/train/bleu.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "engine/math/error.h"

namespace glassformer {
namespace {

using Counts = std::unordered_map<std::string, long>;

std::vector<std::string_view> split(std::string_view tokens) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < tokens.size();) {
    const std::size_t end = std::min(tokens.find(' ', at), tokens.size());
    words.push_back(tokens.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Words stand side by side in the line, so an n-gram is a stretch of it.
Counts count_ngrams(const std::vector<std::string_view>& words, std::size_t order) {
  Counts counts;
  for (std::size_t i = 0; i + order <= words.size(); ++i) {
    const std::string_view &first = words[i], &last = words[i + order - 1];
    ++counts[std::string(first.data(), last.data() + last.size())];
  }
  return counts;
}

void add_line(BleuScore& sums, std::string_view hypothesis, std::string_view reference) {
  const auto hypothesis_words = split(hypothesis), reference_words = split(reference);
  sums.sys_len += static_cast<long>(hypothesis_words.size());
  sums.ref_len += static_cast<long>(reference_words.size());
  for (std::size_t order = 1; order <= sums.counts.size(); ++order) {
    const Counts found = count_ngrams(hypothesis_words, order);
    const Counts wanted = count_ngrams(reference_words, order);
    for (const auto& [ngram, count] : found) {
      sums.totals[order - 1] += count;
      if (const auto there = wanted.find(ngram); there != wanted.end())
        sums.counts[order - 1] += std::min(count, there->second);
    }
  }
}

void finish(BleuScore& sums, bool effective_order) {
  // Penalise what is shorter than the references.
  if (sums.sys_len < sums.ref_len)
    sums.brevity_penalty =
        sums.sys_len > 0 ? std::exp(1 - static_cast<double>(sums.ref_len) / static_cast<double>(sums.sys_len))
                         : 0;
  if (std::all_of(sums.counts.begin(), sums.counts.end(), [](long count) { return count == 0; })) return;

  // Take the share of each order; an order without a match gets half of the last such share.
  double smoothing = 1;
  std::size_t orders = effective_order ? 0 : sums.totals.size();
  for (std::size_t n = 0; n < sums.totals.size() && sums.totals[n] > 0; ++n) {
    if (effective_order) orders = n + 1;
    const auto total = static_cast<double>(sums.totals[n]);
    if (sums.counts[n] > 0)
      sums.precisions[n] = 100 * static_cast<double>(sums.counts[n]) / total;
    else
      sums.precisions[n] = 100 / ((smoothing *= 2) * total);
  }

  // Geometric mean; a share of 0 makes it 0.
  double log_sum = 0;
  for (std::size_t n = 0; n < orders; ++n) {
    if (sums.precisions[n] <= 0) return;
    log_sum += std::log(sums.precisions[n]);
  }
  sums.score = sums.brevity_penalty * std::exp(log_sum / static_cast<double>(orders));
}

}  // namespace

BleuScore bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
               const BleuOptions& options) {
  if (hypotheses.size() != references.size())
    throw Error("bleu", "expected as many translations as references, found " +
                            std::to_string(hypotheses.size()) + " and " + std::to_string(references.size()) +
                            "; give two files that match line by line");
  BleuScore sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    add_line(sums, tokenize_13a(hypotheses[i], options.lowercase),
             tokenize_13a(references[i], options.lowercase));
  finish(sums, options.effective_order);
  return sums;
}

std::string bleu_signature(const BleuOptions& options) {
  return std::string("nrefs:1|case:") + (options.lowercase ? "lc" : "mixed") +
         "|eff:" + (options.effective_order ? "yes" : "no") + "|tok:13a|smooth:exp|version:glassformer-" +
         GLASSFORMER_VERSION;
}

}  // namespace glassformer
