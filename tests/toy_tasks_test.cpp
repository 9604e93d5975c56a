#include "engine/text/toy_tasks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

using namespace glassformer;

TEST_CASE("every source occurs once, and its target is the answer") {
  for (const ToyTask task : toy_tasks()) {
    CAPTURE(toy_task_name(task));
    const auto pairs = toy_pairs(task, {}, 3000, 1);
    REQUIRE(pairs.size() == 3000);
    std::set<std::string> sources;
    for (const SentencePair& pair : pairs) {
      CHECK(sources.insert(pair.source).second);
      CHECK(!pair.target.empty());
      CHECK(pair.target == toy_answer(task, pair.source));
    }
  }
}

TEST_CASE("the answers are right") {
  CHECK(toy_answer(ToyTask::copy, "d a c a") == "d a c a");
  CHECK(toy_answer(ToyTask::reverse, "d a c a") == "a c a d");
  CHECK(toy_answer(ToyTask::sort, "d a c a") == "a a c d");
  CHECK(toy_answer(ToyTask::add, "12+345") == "357");
  CHECK(toy_answer(ToyTask::add, "999+1") == "1000");
  CHECK(toy_answer(ToyTask::dates, "3 march 2021") == "2021-03-03");
  CHECK(toy_answer(ToyTask::dates, "march 3, 2021") == "2021-03-03");
  CHECK(toy_answer(ToyTask::dates, "3 mar 2021") == "2021-03-03");
  CHECK(toy_answer(ToyTask::dates, "3.3.2021") == "2021-03-03");
  CHECK(toy_answer(ToyTask::dates, "03/03/21") == "2021-03-03");
  CHECK(toy_answer(ToyTask::dates, "31/12/69") == "2069-12-31");
  CHECK(toy_answer(ToyTask::dates, "01/01/70") == "1970-01-01");
}

TEST_CASE("dates in numbers put the day first") {
  CHECK(toy_answer(ToyTask::dates, "03/04/21") == "2021-04-03");
  CHECK(toy_answer(ToyTask::dates, "3.4.2021") == "2021-04-03");
}

TEST_CASE("text of another form has no answer") {
  for (const std::string text :
       {"", "12", "12+", "+3", "1+2+3", "a+b", "-1+2", "1 + 2", "9999999999999999+1"}) {
    CAPTURE(text);
    CHECK(toy_answer(ToyTask::add, text).empty());
  }
  for (const std::string text : {"", "30 february 2021", "29.2.2023", "31/04/21", "3 march", "march",
                                 "3 smarch 2021", "3 march 1850", "99999999999 may 2000", "1 2 3 4"}) {
    CAPTURE(text);
    CHECK(toy_answer(ToyTask::dates, text).empty());
  }
  CHECK(toy_answer(ToyTask::dates, "29.2.2024") == "2024-02-29");
}

TEST_CASE("the same seed gives the same pairs, another seed others") {
  CHECK(toy_pairs(ToyTask::reverse, {}, 50, 9) == toy_pairs(ToyTask::reverse, {}, 50, 9));
  CHECK(toy_pairs(ToyTask::reverse, {}, 50, 9) != toy_pairs(ToyTask::reverse, {}, 50, 10));
}

TEST_CASE("lengths and symbols keep to the options and use them up") {
  std::size_t longest = 0;
  std::set<std::string> letters;
  for (const SentencePair& pair : toy_pairs(ToyTask::copy, {.length = 5, .symbols = 4}, 500, 3)) {
    const auto words = split_words(pair.source);
    longest = std::max(longest, words.size());
    letters.insert(words.begin(), words.end());
  }
  CHECK(longest == 5);
  CHECK(letters == std::set<std::string>{"a", "b", "c", "d"});
}

TEST_CASE("all sources that there are can be asked for, one more cannot") {
  const ToyOptions small{.length = 3, .symbols = 2};
  CHECK(toy_sources(ToyTask::sort, small) == 2 + 4 + 8);
  CHECK(toy_pairs(ToyTask::sort, small, 14, 1).size() == 14);
  CHECK_THROWS_AS(toy_pairs(ToyTask::sort, small, 15, 1), Error);
  CHECK(toy_sources(ToyTask::add, {.length = 2}) == 100 * 100);
  CHECK(toy_pairs(ToyTask::add, {.length = 2}, 10000, 1).size() == 10000);
  CHECK(toy_sources(ToyTask::dates, {}) == 5 * 36525);
  CHECK(toy_sources(ToyTask::copy, {.length = 500, .symbols = 26}) == 1'000'000'000'000'000'000);
}

TEST_CASE("options out of range are refused") {
  CHECK_THROWS_AS(toy_pairs(ToyTask::copy, {.length = -1}, 1, 1), Error);
  CHECK_THROWS_AS(toy_pairs(ToyTask::copy, {.symbols = 27}, 1, 1), Error);
  CHECK_THROWS_AS(toy_pairs(ToyTask::add, {.length = 16}, 1, 1), Error);
  CHECK_THROWS_AS(toy_task("multiply"), Error);
}
