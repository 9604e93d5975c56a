#include <doctest/doctest.h>

#include "engine/decode/cache_use.h"
#include "engine/decode/decode.h"
#include "random_models.h"

using namespace glassformer;

namespace {

// Products of (rows, inner) by (inner, columns), counted one after another.
struct Counter {
  long long count = 0;
  void product(long long rows, long long inner, long long columns) {
    for (long long row = 0; row < rows; ++row) count += inner * columns;
  }
};

void count_attention(Counter& counter, const Config& config, int queries, int keys) {
  const int k = config.d_model / config.heads;
  for (int head = 0; head < config.heads; ++head) {
    counter.product(queries, k, keys);
    counter.product(queries, keys, k);
  }
}

long long counted(const Config& config, int source, int words, bool cache) {
  Counter counter;
  const int d = config.d_model, rows = cache ? 1 : words;
  if (!cache)
    for (int layer = 0; layer < config.encoder_layers; ++layer) {
      for (int matrix = 0; matrix < 4; ++matrix) counter.product(source, d, d);
      count_attention(counter, config, source, source);
      if (config.feed_forward == FeedForwardKind::swiglu) counter.product(source, d, config.d_ff);
      counter.product(source, d, config.d_ff);
      counter.product(source, config.d_ff, d);
    }
  for (int layer = 0; layer < config.decoder_layers; ++layer) {
    for (int matrix = 0; matrix < 4; ++matrix) counter.product(rows, d, d);
    count_attention(counter, config, rows, words);
    for (int matrix = 0; matrix < 2; ++matrix) counter.product(rows, d, d);
    if (!cache)
      for (int matrix = 0; matrix < 2; ++matrix) counter.product(source, d, d);
    count_attention(counter, config, rows, source);
    if (config.feed_forward == FeedForwardKind::swiglu) counter.product(rows, d, config.d_ff);
    counter.product(rows, d, config.d_ff);
    counter.product(rows, config.d_ff, d);
  }
  counter.product(rows, d, config.target_vocab);
  return counter.count;
}

}  // namespace

TEST_CASE("with and without the cache the logits agree, and the products are counted as they are made") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 31);
    const ChangedModel<double> untouched(model, {});
    const std::vector<int> source = {5, 6, 3, 4}, words = {4, 7, 9, 5, 6};
    const CacheUse use = compare_with_cache(untouched, source, words);
    CHECK(use.kept);
    // What a run of one word computes more without the cache.
    CHECK(use.before.all() == counted(each.config, 4, 1, false) - counted(each.config, 4, 1, true));
    REQUIRE(use.steps.size() == words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const CacheStep& step = use.steps[i];
      CHECK(step.read == (i == 0 ? each.config.bos_id : words[i - 1]));
      CHECK(step.difference < 1e-11);
      CHECK(step.with.all() == counted(each.config, 4, static_cast<int>(i) + 1, true));
      CHECK(step.without.all() == counted(each.config, 4, static_cast<int>(i) + 1, false));
    }
  }
}

TEST_CASE("a change that lets words read ahead leaves nothing to keep") {
  const Transformer<double> model = random_model<double>(small_config(), 32);
  WhatIf what_if;
  what_if.toggle(change_of(ChangeKind::causal_mask_off));
  const CacheUse use = compare_with_cache(ChangedModel<double>(model, what_if), {5, 6, 3}, {4, 7, 6});
  CHECK_FALSE(use.kept);
  CHECK(use.before.all() == 0);
  REQUIRE(use.steps.size() == 3);
  for (int i = 0; i < 3; ++i) {
    const CacheStep& step = use.steps[static_cast<std::size_t>(i)];
    CHECK(step.with.all() == 0);
    CHECK(step.difference == 0);
    CHECK(step.without.all() == counted(small_config(), 3, i + 1, false));
  }
}

TEST_CASE("running free writes greedy's words and asks for the right ones after them") {
  const Transformer<double> model = random_model<double>(small_config(), 33);
  const ChangedModel<double> untouched(model, {});
  const std::vector<int> source = {5, 6, 3}, right = {4, 7, 9, 3};
  const FreeRun run = run_free(untouched, source, right);
  CHECK(run.ids == decode(model, {source}, {}).front().ids);
  REQUIRE(run.right_log_probabilities.size() == std::min(run.ids.size(), right.size()));
  for (std::size_t place = 0; place < run.right_log_probabilities.size(); ++place) {
    DecodeOptions options;
    options.forced.assign(run.ids.begin(), run.ids.begin() + static_cast<std::ptrdiff_t>(place));
    options.forced.push_back(right[place]);
    options.max_length = static_cast<int>(place) + 2;
    CHECK(decode(model, {source}, options).front().log_probabilities[place] ==
          doctest::Approx(run.right_log_probabilities[place]).epsilon(1e-9));
  }
}
