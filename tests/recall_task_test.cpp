#include "engine/text/toy_tasks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

using namespace glassformer;

namespace {

int between(const std::string& source) {
  return static_cast<int>(std::ranges::count(source, '.')) - 1;
}

}  // namespace

TEST_CASE("what is carried is the answer, however much is told in between") {
  CHECK(recall_answer("alice carries a grape . bob walks . alice sings . fruit ?") == "grape");
  CHECK(recall_answer("henry carries a plum . fruit ?") == "plum");
  for (const char* const other :
       {"", "fruit ?", "alice carries a grape . fruit", "alice carries a grape . bob walks fruit ?",
        "alice carries a stone . fruit ?", "bob walks . alice carries a grape . fruit ?",
        "alice carries a grape . bob flies . fruit ?", "alice carries a grape . walks bob . fruit ?",
        "alice carries a grape . fruit ? fruit ?"}) {
    CAPTURE(std::string(other));
    CHECK(recall_answer(other).empty());
  }
}

TEST_CASE("the distance is a setting, and all distances up to it are as frequent while there are new ones") {
  std::map<int, long> counts;
  for (const SentencePair& pair : toy_pairs(ToyTask::recall, {.length = 4}, 5000, 7)) {
    const std::vector<std::string> words = split_words(pair.source);
    REQUIRE(static_cast<int>(words.size()) == recall_words(between(pair.source)));
    CHECK(pair.target == words[3]);
    ++counts[between(pair.source)];
  }
  CHECK(counts.begin()->first == 0);
  CHECK(counts.rbegin()->first == 4);
  CHECK(counts[0] == 64);  // all that there are
  for (int distance = 1; distance <= 4; ++distance) {
    CAPTURE(distance);
    CHECK(counts[distance] > 1100);
    CHECK(counts[distance] < 1370);
  }
  CHECK(recall_sources(0) == 64);
  CHECK(recall_sources(1) == 64 * 64);
  CHECK(recall_sources(300) == 1'000'000'000'000'000'000);
  CHECK_THROWS_AS(toy_pairs(ToyTask::recall, {.length = 301}, 1, 1), Error);
}

TEST_CASE("symbols are the ten digits, copied") {
  std::map<std::string, long> seen;
  std::size_t longest = 0;
  for (const SentencePair& pair : toy_pairs(ToyTask::symbols, {}, 2000, 3)) {
    CHECK(pair.source == pair.target);
    const std::vector<std::string> words = split_words(pair.source);
    longest = std::max(longest, words.size());
    for (const std::string& word : words) ++seen[word];
  }
  CHECK(longest == 8);
  REQUIRE(seen.size() == 10);
  CHECK(seen.begin()->first == "0");
  CHECK(seen.rbegin()->first == "9");
  CHECK(toy_tokenizer(ToyTask::symbols) == TokenizerKind::word);
}
