#include "engine/train/chrf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "engine/math/error.h"
#include "engine/train/scoring_blanks.h"

namespace glassformer {
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
