// Two sentences compared word by word, as a teacher marks a translation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct MarkedWord {
  std::string text;
  bool right = false;  // is in the reference, in the same order among the other right words
};

struct WordDifference {
  std::vector<MarkedWord> words;  // of the attempt, in order
  int right = 0;                  // how many of them are right
  int expected = 0;               // words of the reference
  bool same() const { return right == expected && right == static_cast<int>(words.size()); }
};

// Both ways at once, for two sentences of which neither is the reference: the same words are right in both.
struct WordDifferences {
  WordDifference first, second;
};
WordDifferences compare_both(std::string_view first, std::string_view second);

// Words are split at blanks. The right words are a longest common subsequence, so that one word too many does
// not make every later word wrong; among equally long ones the earliest words of the attempt are taken.
WordDifference compare_words(std::string_view attempt, std::string_view reference);

}  // namespace glassformer
