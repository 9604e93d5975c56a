#include "engine/text/word_difference.h"

#include <algorithm>

namespace glassformer {

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t start = text.find_first_not_of(" \t\n", from);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t\n", start), text.size());
    words.emplace_back(text.substr(start, end - start));
    from = end;
  }
  return words;
}

}  // namespace

WordDifference compare_words(std::string_view attempt, std::string_view reference) {
  return compare_both(attempt, reference).first;
}

WordDifferences compare_both(std::string_view first, std::string_view second) {
  const std::vector<std::string> a = words_of(first), b = words_of(second);
  WordDifferences result;
  result.first.expected = static_cast<int>(b.size());
  result.second.expected = static_cast<int>(a.size());
  for (const std::string& word : a) result.first.words.push_back({word, false});
  for (const std::string& word : b) result.second.words.push_back({word, false});

  // common[i][j]: longest common subsequence of the words from i of a and from j of b.
  const std::size_t width = b.size() + 1;
  std::vector<int> common((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                           : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);

  // Walk along one of the longest, taking words of the first as early as possible.
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      result.first.words[i++].right = true;
      result.second.words[j++].right = true;
    } else if (common[i * width + j + 1] == common[i * width + j]) {
      ++j;
    } else {
      ++i;
    }
  }
  result.first.right = result.second.right = common.empty() ? 0 : common.front();
  return result;
}

}  // namespace glassformer
