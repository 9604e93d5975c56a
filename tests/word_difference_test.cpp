#include "engine/text/word_difference.h"

#include <doctest/doctest.h>

using namespace glassformer;

namespace {

std::string marks(const WordDifference& difference) {
  std::string text;
  for (const MarkedWord& word : difference.words) text += word.right ? '.' : 'x';
  return text;
}

}  // namespace

TEST_CASE("words that stand in the reference in order are right, the others wrong") {
  const auto difference = compare_words("un livre noir trouve un livre", "un petit chien trouve le livre");
  CHECK(marks(difference) == ".xx.x.");
  CHECK(difference.right == 3);
  CHECK(difference.expected == 6);
  CHECK_FALSE(difference.same());
}

TEST_CASE("one word too many does not spoil the words after it") {
  CHECK(marks(compare_words("la la fille voit", "la fille voit")) == ".x..");
  CHECK(marks(compare_words("fille voit", "la fille voit")) == "..");
  CHECK_FALSE(compare_words("fille voit", "la fille voit").same());
}

TEST_CASE("equal sentences are the same whatever the blanks, and nothing is the same as nothing") {
  CHECK(compare_words(" la  fille ", "la fille").same());
  CHECK(compare_words("", "").same());
  CHECK_FALSE(compare_words("", "la").same());
  CHECK(compare_words("la", "").words.size() == 1);
}

TEST_CASE("two sentences have the same words in common, whichever comes first") {
  for (const auto& [one, other] : {std::pair{"e f s j j", "j f e s j"}, std::pair{"e f j j", "j f e s j"},
                                   std::pair{"", "a"}, std::pair{"", ""}, std::pair{"a b", "a b"}}) {
    const WordDifferences both = compare_both(one, other);
    std::vector<std::string> first, second;
    for (const MarkedWord& word : both.first.words)
      if (word.right) first.push_back(word.text);
    for (const MarkedWord& word : both.second.words)
      if (word.right) second.push_back(word.text);
    CHECK(first == second);
    CHECK(static_cast<int>(first.size()) == both.first.right);
    CHECK(both.second.right == both.first.right);
    CHECK(both.first.expected == static_cast<int>(both.second.words.size()));
  }
}
