#include "engine/train/batches.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace glassformer;

namespace {

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

}  // namespace

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
