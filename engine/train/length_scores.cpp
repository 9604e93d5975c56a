#include "engine/train/length_scores.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/math/error.h"

namespace glassformer {
namespace {

bool is_target(std::span<const int> written, std::span<const int> target, int eos_id) {
  return !written.empty() && written.back() == eos_id &&
         std::ranges::equal(written.first(written.size() - 1), target);
}

}  // namespace

double LengthScore::share() const {
  if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(right) / static_cast<double>(pairs);
}

std::vector<LengthScore> length_scores(std::span<const EncodedPair> pairs,
                                       std::span<const std::vector<int>> written, int eos_id) {
  if (pairs.size() != written.size())
    throw Error("scores by length", "expected what was written for each of " + std::to_string(pairs.size()) +
                                        " pairs, found " + std::to_string(written.size()));
  std::size_t longest = 0;
  for (const EncodedPair& pair : pairs) longest = std::max(longest, pair.source.size());
  std::vector<LengthScore> scores(longest);
  for (std::size_t i = 0; i < longest; ++i) scores[i].words = static_cast<int>(i) + 1;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].source.empty()) continue;
    LengthScore& score = scores[pairs[i].source.size() - 1];
    ++score.pairs;
    if (is_target(written[i], pairs[i].target, eos_id)) ++score.right;
  }
  return scores;
}

}  // namespace glassformer
