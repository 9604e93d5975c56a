#include "engine/text/grammar_surface.h"

#include <algorithm>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view without_mark(std::string_view word) {
  if (!word.empty() && (word.front() == '*' || word.front() == '^')) word.remove_prefix(1);
  return word;
}

bool begins_with_vowel_sound(std::string_view word, const GrammarSurface& surface) {
  if (word.empty() || word.front() == '*') return false;
  if (word.front() == '^') return true;
  return std::any_of(surface.vowels.begin(), surface.vowels.end(),
                     [&](const std::string& vowel) { return word.substr(0, vowel.size()) == vowel; });
}

// The capital lies a fixed distance before its small letter in most alphabets, or right before it (Œ œ).
std::string capitalized(std::string_view word) {
  if (word.empty()) return "";
  std::size_t rest = 0;
  const char32_t small = next_code_point(word, rest);
  char32_t first = small;
  for (const char32_t distance : {1u, 0x20u})
    if (small > distance && to_lower(small - distance) == small && small - distance != small)
      first = small - distance;
  std::string result;
  append_utf8(result, first);
  return result.append(word.substr(rest));
}

std::vector<std::string> cut_blanks(std::string_view text, std::string_view blanks) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

std::string surface_text(std::vector<std::string_view> words, const GrammarSurface& surface) {
  // Choose the form before a vowel from the end to the front: what follows must be settled first.
  std::string_view next;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (*word == kCapitalMark) continue;
    const std::size_t bar = word->find('|');
    if (bar != std::string_view::npos)
      *word = begins_with_vowel_sound(next, surface) ? word->substr(bar + 1) : word->substr(0, bar);
    next = *word;
  }

  // Contract neighbours, set the capitals and the blanks.
  std::string text;
  bool capital = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kCapitalMark) {
      capital = text.empty();
      continue;
    }
    std::string word(without_mark(words[i]));
    if (i + 1 < words.size())
      for (const auto& contraction : surface.contractions)
        if (contraction.first == word && contraction.second == without_mark(words[i + 1])) {
          word = contraction.together;
          ++i;
          break;
        }
    std::replace(word.begin(), word.end(), '_', ' ');
    if (capital) word = capitalized(word);
    capital = false;
    const bool tight = text.empty() || text.back() == '\'' || contains(surface.attached, word);
    if (!tight) text += ' ';
    text += word;
  }
  return text;
}

std::vector<std::string> surface_words(std::string_view sentence, const GrammarSurface& surface) {
  std::vector<std::string> words;
  for (std::string& word : cut_blanks(sentence, " \t")) {
    std::vector<std::string> tail;
    for (bool again = true; again;) {
      again = false;
      for (const std::string& mark : surface.attached)
        if (word.size() > mark.size() && word.ends_with(mark)) {
          tail.push_back(mark);
          word.resize(word.size() - mark.size());
          again = true;
          break;
        }
    }
    words.push_back(word);
    words.insert(words.end(), tail.rbegin(), tail.rend());
  }
  return words;
}

std::vector<std::vector<std::string>> token_words(std::string_view token) {
  std::vector<std::vector<std::string>> choices;
  while (true) {
    const std::size_t bar = token.find('|');
    choices.push_back(cut_blanks(without_mark(token.substr(0, bar)), "_"));
    if (bar == std::string_view::npos) return choices;
    token.remove_prefix(bar + 1);
  }
}

}  // namespace glassformer
