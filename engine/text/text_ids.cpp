#include "engine/text/text_ids.h"

#include <algorithm>

namespace glassformer {
namespace {

constexpr std::size_t kMostWords = 200'000, kLongestWord = 32;  // that are kept

// What stands before the combining marks of Unicode (U+0300): normalising joins no two of these signs across
// a blank.
bool is_plain(std::string_view text) {
  return std::ranges::none_of(text, [](char each) { return static_cast<unsigned char>(each) >= 0xCC; });
}

std::vector<int> ids_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

}  // namespace

std::vector<int> TextIds::of(std::string_view text) {
  if (!words_apart_ || !is_plain(text)) return ids_of(tokenizer_, text);
  std::vector<int> ids;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) {
      const std::vector<int>& word = of_word(text.substr(0, end));
      ids.insert(ids.end(), word.begin(), word.end());
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

const std::vector<int>& TextIds::of_word(std::string_view word) {
  std::string key(word);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= kMostWords || word.size() > kLongestWord) return rare_ = ids_of(tokenizer_, word);
  return known_.emplace(std::move(key), ids_of(tokenizer_, word)).first->second;
}

}  // namespace glassformer
