#include "engine/text/reading.h"

#include <algorithm>

#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kNamed = 3;

long unknown_pieces(const Tokenizer& tokenizer, const std::string& text) {
  const std::vector<Piece> pieces = tokenizer.encode(text);
  return std::ranges::count_if(pieces, &Piece::unknown);
}

bool is_sign(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t letter = next_code_point(text, at);
    if (is_letter(letter) || (letter >= '0' && letter <= '9')) return false;
  }
  return true;
}

}  // namespace

std::string readable(const Tokenizer& tokenizer, const std::string& text) {
  if (!far_too_long(text.size(), 0).empty() || unknown_pieces(tokenizer, text) == 0) return text;
  std::size_t first = 0;
  next_code_point(text, first);
  std::string best = text;
  for (const std::size_t end : {first, text.size()}) {
    const std::string candidate = to_lower(text.substr(0, end)) + text.substr(end);
    if (unknown_pieces(tokenizer, candidate) < unknown_pieces(tokenizer, best)) best = candidate;
  }
  return best;
}

std::string far_too_long(std::size_t bytes, std::size_t takes) {
  constexpr std::size_t kAnySentence = 100'000, kBytesPerToken = 64;
  if (bytes <= std::max(kAnySentence, takes * kBytesPerToken)) return {};
  return "the sentence has " + std::to_string(bytes) + " bytes, the model takes " + std::to_string(takes) +
         " tokens; shorten it";
}

std::vector<std::string> unknown_words(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool unknown = false;
  const auto finish = [&] {
    if (unknown && std::ranges::find(words, word) == words.end()) words.push_back(word);
    word.clear();
    unknown = false;
  };
  for (const Piece& piece : tokenizer.encode(text)) {
    // A word-start mark may be a separate piece.
    const std::string shown =
        piece.text.starts_with(kWordStart) ? piece.text.substr(kWordStart.size()) : piece.text;
    const bool sign = is_sign(shown);
    if (piece.word_start || sign) finish();
    word += shown;
    unknown = unknown || piece.unknown;
    if (sign) finish();
  }
  finish();
  return words;
}

std::string named_words(const std::vector<std::string>& words) {
  std::string names;
  const std::size_t named = std::min(words.size(), kNamed);
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) names += i + 1 == words.size() ? " and " : ", ";
    names += "“" + words[i] + "”";
  }
  if (words.size() > named) names += " and " + std::to_string(words.size() - named) + " more";
  return names;
}

std::string unknown_words_sentence(const std::vector<std::string>& words, const std::string& pieces) {
  if (words.empty()) return {};
  return named_words(words) + (words.size() == 1 ? " is" : " are") + " not among the " + pieces +
         " pieces this model knows, nor made of them: it reads <unk> where one is missing.";
}

std::string too_long_sentence(const std::string& what, std::size_t tokens, std::size_t takes) {
  return what + " has " + std::to_string(tokens) + " tokens, the model takes " + std::to_string(takes) +
         "; shorten it";
}

}  // namespace glassformer
