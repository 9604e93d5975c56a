// Toy tasks, how data is split, and the batches made of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/math/error.h"
#include "engine/text/split.h"
#include "engine/text/toy_tasks.h"
#include "engine/text/unicode.h"
#include "engine/train/batches.h"

namespace glassformer::toy_tasks_test {

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

int between(const std::string& source) {
  return static_cast<int>(std::ranges::count(source, '.')) - 1;
}

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

std::vector<SentencePair> pairs_with_several_translations() {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 300; ++i)
    pairs.push_back({"source " + std::to_string(i % 120), "target " + std::to_string(i)});
  return pairs;
}

TEST_CASE("no source stands on two sides, and every pair stands on one") {
  const auto pairs = pairs_with_several_translations();
  const Split split = split_by_source(pairs, {.validation = 40, .test = 30}, 5);
  std::set<std::size_t> indices;
  std::set<std::string> sources[3];
  int part = 0;
  for (const auto* members : {&split.training, &split.validation, &split.test}) {
    for (const std::size_t i : *members) {
      CHECK(indices.insert(i).second);
      sources[part].insert(pairs[i].source);
    }
    ++part;
  }
  CHECK(indices.size() == pairs.size());
  CHECK(sources[0].size() + sources[1].size() + sources[2].size() == 120);
}

TEST_CASE("a part has the size asked for, give or take one source's translations") {
  const auto pairs = pairs_with_several_translations();
  const Split split = split_by_source(pairs, {.validation = 40, .test = 30}, 5);
  CHECK(split.validation.size() >= 40);
  CHECK(split.validation.size() < 43);
  CHECK(split.test.size() >= 30);
  CHECK(split.test.size() < 33);
}

TEST_CASE("the seed decides the split, and another seed gives another one") {
  const auto pairs = pairs_with_several_translations();
  const auto validation = [&](std::uint64_t seed) {
    return split_by_source(pairs, {.validation = 40}, seed).validation;
  };
  CHECK(validation(1) == validation(1));
  CHECK(validation(1) != validation(2));
}

TEST_CASE("a split that leaves nothing to train on is refused") {
  CHECK_THROWS_AS(split_by_source({{"a", "b"}, {"a", "c"}}, {.validation = 1}, 1), Error);
  CHECK_THROWS_AS(split_by_source({}, {}, 1), Error);
}

std::vector<PairLength> many_lengths() {
  std::vector<PairLength> lengths;
  for (int i = 0; i < 1000; ++i) lengths.push_back({.source = 2 + i * 7 % 29, .target = 2 + i * 11 % 31});
  return lengths;
}

int tokens(const std::vector<int>& batch, const std::vector<PairLength>& lengths) {
  int sum = 0;
  for (const int pair : batch) sum += lengths[static_cast<std::size_t>(pair)].total();
  return sum;
}

void check_every_pair_once(const BatchPlan& plan, std::size_t count) {
  std::set<int> seen;
  for (const auto& batch : plan)
    for (const int pair : batch) CHECK(seen.insert(pair).second);
  CHECK(seen.size() == count);
  CHECK(*seen.begin() == 0);
  CHECK(*seen.rbegin() == static_cast<int>(count) - 1);
}

TEST_CASE("an epoch holds every pair once and no batch exceeds its tokens") {
  const auto lengths = many_lengths();
  for (const BatchPlan& plan : {plan_epoch(lengths, 300, 1, 0), plan_sorted(lengths, 300)}) {
    check_every_pair_once(plan, lengths.size());
    for (const auto& batch : plan) CHECK(tokens(batch, lengths) <= 300);
  }
}

TEST_CASE("a pair longer than the budget gets a batch of its own") {
  const std::vector<PairLength> lengths = {{3, 3}, {400, 400}, {2, 2}};
  const BatchPlan plan = plan_epoch(lengths, 100, 1, 0);
  check_every_pair_once(plan, 3);
  CHECK(
      std::any_of(plan.begin(), plan.end(), [](const auto& batch) { return batch == std::vector<int>{1}; }));
}

TEST_CASE("the same seed and epoch give the same batches, another epoch or seed others") {
  const auto lengths = many_lengths();
  const BatchPlan plan = plan_epoch(lengths, 300, 7, 3);
  CHECK(plan == plan_epoch(lengths, 300, 7, 3));
  CHECK(plan != plan_epoch(lengths, 300, 7, 4));
  CHECK(plan != plan_epoch(lengths, 300, 8, 3));
}

TEST_CASE("sentences of a batch are of similar length, and the batches are not in order of length") {
  const auto lengths = many_lengths();
  const BatchPlan plan = plan_epoch(lengths, 600, 1, 0);
  std::vector<double> means;
  for (const auto& batch : plan) {
    int shortest = 1000, longest = 0;
    for (const int pair : batch) {
      const int total = lengths[static_cast<std::size_t>(pair)].total();
      shortest = std::min(shortest, total);
      longest = std::max(longest, total);
    }
    CHECK(longest <= 2 * shortest + 10);
    means.push_back(static_cast<double>(tokens(batch, lengths)) / static_cast<double>(batch.size()));
  }
  CHECK_FALSE(std::is_sorted(means.begin(), means.end()));
}

TEST_CASE("for evaluation the longest sentences come first") {
  const auto lengths = many_lengths();
  const BatchPlan plan = plan_sorted(lengths, 300);
  int last = 1000;
  for (const auto& batch : plan)
    for (const int pair : batch) {
      const int total = lengths[static_cast<std::size_t>(pair)].total();
      CHECK(total <= last);
      last = total;
    }
}

}  // namespace glassformer::toy_tasks_test
