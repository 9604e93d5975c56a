#include "engine/train/bleu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

// Blanks as the field's scoring tools see them: Unicode's White_Space and the four ASCII separators.
bool is_scoring_blank(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// Every run of blanks becomes one `separator`; blanks at the ends go.
std::string with_blanks_as(std::string_view text, std::string_view separator) {
  std::string result;
  bool pending = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_scoring_blank(next_code_point(text, at))) {
      pending = !result.empty();
      continue;
    }
    if (pending) result += separator;
    pending = false;
    result += text.substr(begin, at - begin);
  }
  return result;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_stop(char c) {
  return c == '.' || c == ',';
}

// ASCII symbols but for ' , - .
bool is_symbol(char c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size();)
    if (!is_scoring_blank(next_code_point(line, at))) end = at;
  return std::string(line.substr(0, end));
}

// The rules look at pairs of neighbours from the left and continue behind a pair that they changed. A byte
// represents its character here: no byte of a longer character looks like ASCII.
template <class Matches>
std::string split_pairs(std::string_view line, const char* pattern, Matches matches) {
  std::string result;
  std::size_t at = 0;
  while (at < line.size()) {
    if (at + 1 == line.size() || !matches(line[at], line[at + 1])) {
      result += line[at++];
      continue;
    }
    for (const char* p = pattern; *p; ++p) result += *p == '1' ? line[at] : *p == '2' ? line[at + 1] : *p;
    at += 2;
  }
  return result;
}

}  // namespace

std::string tokenize_13a(std::string_view line, bool lowercase) {
  // Undo what the old file formats did to the text.
  std::string text = without_trailing_blanks(lowercase ? to_lower(line) : std::string(line));
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  // Part symbols, then stops that no digit precedes or follows, then hyphens behind digits.
  std::string apart = " ";
  for (const char c : text) {
    if (is_symbol(c))
      apart.append({' ', c, ' '});
    else
      apart += c;
  }
  apart += ' ';
  apart = split_pairs(apart, "1 2 ", [](char a, char b) { return !is_digit(a) && is_stop(b); });
  apart = split_pairs(apart, " 1 2", [](char a, char b) { return is_stop(a) && !is_digit(b); });
  apart = split_pairs(apart, "1 2 ", [](char a, char b) { return is_digit(a) && b == '-'; });
  return with_blanks_as(apart, " ");
}

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

// Words are side by side in the line, so an n-gram is a stretch of it.
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

// A line that is one of its references: all of it matches.
void add_same(BleuScore& sums, std::string_view line) {
  const auto words = static_cast<long>(split(line).size());
  sums.sys_len += words;
  sums.ref_len += words;
  for (std::size_t n = 0; n < sums.counts.size(); ++n) {
    const long ngrams = std::max(0L, words - static_cast<long>(n));
    sums.totals[n] += ngrams;
    sums.counts[n] += ngrams;
  }
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
    const std::string words = words_of(hypotheses[i], options);
    if (std::ranges::any_of(references, [&](const auto& lines) { return lines[i] == hypotheses[i]; })) {
      add_same(sums, words);
      continue;
    }
    std::vector<std::string> of_line;
    for (const std::vector<std::string>& lines : references) of_line.push_back(words_of(lines[i], options));
    add_line(sums, words, of_line);
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

namespace {

constexpr std::size_t kOrders = 6;
constexpr double kRecallWeight = 4;  // beta 2, squared

struct OrderSums {
  double hypothesis = 0, reference = 0, match = 0;  // n-grams
};

std::unordered_map<std::u32string, long> count_ngrams(const std::u32string& letters, std::size_t order) {
  std::unordered_map<std::u32string, long> counts;
  for (std::size_t i = 0; i + order <= letters.size(); ++i) ++counts[letters.substr(i, order)];
  return counts;
}

std::u32string letters_of(std::string_view line) {
  const std::vector<char32_t> letters = code_points(with_blanks_as(line, ""));
  return {letters.begin(), letters.end()};
}

using Sums = std::array<OrderSums, kOrders>;

void add_line(Sums& sums, const std::u32string& hypothesis, const std::u32string& reference) {
  for (std::size_t order = 1; order <= kOrders; ++order) {
    OrderSums& sum = sums[order - 1];
    const auto wanted = count_ngrams(reference, order);
    for (const auto& [ngram, count] : wanted) sum.reference += static_cast<double>(count);
    if (wanted.empty()) continue;
    for (const auto& [ngram, count] : count_ngrams(hypothesis, order)) {
      sum.hypothesis += static_cast<double>(count);
      if (const auto there = wanted.find(ngram); there != wanted.end())
        sum.match += static_cast<double>(std::min(count, there->second));
    }
  }
}

// Average precision and recall over the orders that both sides have.
double score_of(const Sums& sums) {
  double precision = 0, recall = 0, orders = 0;
  for (const OrderSums& sum : sums) {
    if (sum.hypothesis <= 0 || sum.reference <= 0) continue;
    precision += sum.match / sum.hypothesis;
    recall += sum.match / sum.reference;
    ++orders;
  }
  if (orders == 0 || precision + recall <= 0) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * (1 + kRecallWeight) * precision * recall / (kRecallWeight * precision + recall);
}

}  // namespace

double chrf2_of_several(const std::vector<std::string>& hypotheses,
                        const std::vector<std::vector<std::string>>& references) {
  for (const std::vector<std::string>& lines : references)
    if (hypotheses.size() != lines.size())
      throw Error("chrf2", "expected as many translations as references, found " +
                               std::to_string(hypotheses.size()) + " and " + std::to_string(lines.size()) +
                               "; give files that match line by line");
  Sums all;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const std::u32string hypothesis = letters_of(hypotheses[i]);
    std::optional<Sums> nearest;
    for (const std::vector<std::string>& lines : references) {
      Sums line;
      add_line(line, hypothesis, letters_of(lines[i]));
      if (!nearest || score_of(line) > score_of(*nearest)) nearest = line;
    }
    for (std::size_t order = 0; nearest && order < kOrders; ++order) {
      all[order].hypothesis += (*nearest)[order].hypothesis;
      all[order].reference += (*nearest)[order].reference;
      all[order].match += (*nearest)[order].match;
    }
  }
  return score_of(all);
}

double chrf2(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references) {
  return chrf2_of_several(hypotheses, {references});
}

}  // namespace glassformer
