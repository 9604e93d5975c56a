#include "engine/train/batches.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace glassformer {
namespace {

// How far a sentence may stray from its place by length, as a share of its length. Without any, a batch would
// hold sentences of one length alone, which teaches unevenly.
constexpr double kSpread = 0.5;

// Integers alone, so that every machine draws the same.
std::uint64_t below(std::mt19937_64& generator, std::uint64_t limit) {
  return (generator() >> 11) % limit;
}

template <class Value>
void shuffle(std::vector<Value>& values, std::mt19937_64& generator) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(generator, i)]);
}

BatchPlan cut(const std::vector<int>& order, std::span<const PairLength> lengths, int batch_tokens) {
  BatchPlan plan;
  long tokens = 0;
  for (const int pair : order) {
    const int length = lengths[static_cast<std::size_t>(pair)].total();
    if (plan.empty() || tokens + length > batch_tokens) {
      plan.emplace_back();
      tokens = 0;
    }
    plan.back().push_back(pair);
    tokens += length;
  }
  return plan;
}

std::vector<int> numbers(std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

BatchPlan plan_epoch(std::span<const PairLength> lengths, int batch_tokens, std::uint64_t seed, long epoch) {
  std::seed_seq seeds{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(epoch), 0x62617463u};
  std::mt19937_64 generator(seeds);
  std::vector<int> order = numbers(lengths.size());
  shuffle(order, generator);

  // Sort by roughly the length, cut, and take the batches in any order.
  std::vector<std::uint64_t> place(lengths.size());
  for (const int pair : order) {
    constexpr std::uint64_t kParts = 1024;
    const auto length = static_cast<std::uint64_t>(lengths[static_cast<std::size_t>(pair)].total());
    const auto noise = below(generator, static_cast<std::uint64_t>(kSpread * kParts) + 1);
    place[static_cast<std::size_t>(pair)] = length * (kParts + noise);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
  });
  BatchPlan plan = cut(order, lengths, batch_tokens);
  shuffle(plan, generator);
  return plan;
}

BatchPlan plan_sorted(std::span<const PairLength> lengths, int batch_tokens) {
  std::vector<int> order = numbers(lengths.size());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return lengths[static_cast<std::size_t>(a)].total() > lengths[static_cast<std::size_t>(b)].total();
  });
  return cut(order, lengths, batch_tokens);
}

}  // namespace glassformer
