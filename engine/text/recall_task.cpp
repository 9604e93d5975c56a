#include "engine/text/recall_task.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

using Words = std::array<std::string_view, 8>;
constexpr Words kPeople = {"alice", "bob", "carol", "david", "emma", "frank", "grace", "henry"};
constexpr Words kFruits = {"banana", "cherry", "grape", "lemon", "mango", "melon", "peach", "plum"};
constexpr Words kVerbs = {"dances", "laughs", "reads", "runs", "sings", "sleeps", "waits", "walks"};
constexpr long kVeryMany = 1'000'000'000'000'000'000;

std::string one_of(const Words& words, Random& random) {
  return std::string(words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))]);
}

bool is_one_of(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

long recall_sources(int between) {
  constexpr long kOfOne = static_cast<long>(kPeople.size() * kFruits.size());
  long count = kOfOne;
  for (int i = 0; i < between; ++i) count = count > kVeryMany / kOfOne ? kVeryMany : count * kOfOne;
  return count;
}

std::string recall_source(int between, Random& random) {
  std::string text = one_of(kPeople, random) + " carries a ";
  text += one_of(kFruits, random) + " . ";
  for (int i = 0; i < between; ++i) {
    text += one_of(kPeople, random) + " ";
    text += one_of(kVerbs, random) + " . ";
  }
  return text + "fruit ?";
}

std::string recall_answer(const std::string& source) {
  const std::vector<std::string> words = split_words(source);
  const auto count = static_cast<int>(words.size());
  if (count < recall_words(0) || (count - recall_words(0)) % 3 != 0) return "";
  const bool said = is_one_of(kPeople, words[0]) && words[1] == "carries" && words[2] == "a" &&
                    is_one_of(kFruits, words[3]) && words[4] == ".";
  const bool asked = words[words.size() - 2] == "fruit" && words.back() == "?";
  if (!said || !asked) return "";
  for (std::size_t i = 5; i + 2 < words.size(); i += 3)
    if (!is_one_of(kPeople, words[i]) || !is_one_of(kVerbs, words[i + 1]) || words[i + 2] != ".") return "";
  return words[3];
}

}  // namespace glassformer
