#include "engine/train/bleu.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/math/error.h"
#include "engine/train/scoring_blanks.h"

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

std::string words_of(std::string_view line, const BleuOptions& options) {
  if (options.words == BleuWords::wmt_13a) return tokenize_13a(line, options.lowercase);
  const std::string text = options.lowercase ? to_lower(line) : std::string(line);
  if (options.words == BleuWords::between_blanks) return with_blanks_as(text, " ");
  std::string apart;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_scoring_blank(next_code_point(text, at))) continue;
    if (!apart.empty()) apart += ' ';
    apart += text.substr(begin, at - begin);
  }
  return apart;
}

// Of the lengths of the references the nearest, of two the shorter.
std::size_t nearest_length(std::size_t length, const std::vector<std::vector<std::string_view>>& references) {
  std::size_t nearest = references.front().size();
  const auto distance = [&](std::size_t other) { return other > length ? other - length : length - other; };
  for (const auto& words : references)
    if (std::pair(distance(words.size()), words.size()) < std::pair(distance(nearest), nearest))
      nearest = words.size();
  return nearest;
}

void add_line(BleuScore& sums, std::string_view hypothesis, const std::vector<std::string>& references) {
  const auto hypothesis_words = split(hypothesis);
  std::vector<std::vector<std::string_view>> reference_words;
  for (const std::string& reference : references) reference_words.push_back(split(reference));
  sums.sys_len += static_cast<long>(hypothesis_words.size());
  sums.ref_len += static_cast<long>(nearest_length(hypothesis_words.size(), reference_words));
  for (std::size_t order = 1; order <= sums.counts.size(); ++order) {
    const Counts found = count_ngrams(hypothesis_words, order);
    Counts wanted;
    for (const auto& words : reference_words)
      for (const auto& [ngram, count] : count_ngrams(words, order)) {
        long& most = wanted[ngram];
        most = std::max(most, count);
      }
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

const char* const kBleuLeftOut = "BLEU is left out: most of the right answers have fewer than four words";

BleuScore bleu_of_several(const std::vector<std::string>& hypotheses,
                          const std::vector<std::vector<std::string>>& references,
                          const BleuOptions& options) {
  for (const std::vector<std::string>& lines : references)
    if (hypotheses.size() != lines.size())
      throw Error("bleu", "expected as many translations as references, found " +
                              std::to_string(hypotheses.size()) + " and " + std::to_string(lines.size()) +
                              "; give files that match line by line");
  BleuScore sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    std::vector<std::string> of_line;
    for (const std::vector<std::string>& lines : references) of_line.push_back(words_of(lines[i], options));
    add_line(sums, words_of(hypotheses[i], options), of_line);
  }
  finish(sums, options.effective_order);
  return sums;
}

BleuScore bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
               const BleuOptions& options) {
  return bleu_of_several(hypotheses, {references}, options);
}

std::string bleu_signature(const BleuOptions& options, std::size_t references) {
  return "nrefs:" + std::to_string(references) + "|case:" + (options.lowercase ? "lc" : "mixed") +
         "|eff:" + (options.effective_order ? "yes" : "no") +
         "|tok:" + kBleuWordsNames[static_cast<std::size_t>(options.words)] +
         "|smooth:exp|version:glassformer-" + GLASSFORMER_VERSION;
}

bool too_short_for_bleu(const std::vector<std::string>& references, const BleuOptions& options) {
  const auto short_ones = std::ranges::count_if(references, [&](const std::string& line) {
    return split(words_of(line, options)).size() < BleuScore{}.totals.size();
  });
  return 2 * static_cast<std::size_t>(short_ones) > references.size();
}

}  // namespace glassformer
