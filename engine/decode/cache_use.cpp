#include "engine/decode/cache_use.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "engine/decode/incremental.h"
#include "engine/decode/prefix_decoder.h"

namespace glassformer {

namespace {

struct Sizes {
  long long d, f, vocabulary, source, layers, encoder_layers, products;  // of a feed-forward
};

Sizes sizes(const Config& config, int source) {
  return {config.d_model,
          config.d_ff,
          config.target_vocab,
          source,
          config.decoder_layers,
          config.encoder_layers,
          feed_forward_traits(config.feed_forward).matrices};
}

// So many decoder rows, of which each reads `seen` words of its own side.
StepCost rows_cost(const Sizes& n, long long rows, long long seen) {
  StepCost cost;
  cost.projections = n.layers * rows * (4 * n.d * n.d + 2 * n.d * n.d);  // Q, K, V, W_O; then Q, W_O
  cost.attention = n.layers * rows * 2 * n.d * (seen + n.source);
  cost.feed_forward = n.layers * rows * n.products * n.d * n.f;
  cost.output = rows * n.d * n.vocabulary;
  return cost;
}

template <class Work>
double shortest_ms(const Work& work) {
  constexpr int kTimes = 3;
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, passed.count());
  }
  return shortest;
}

template <class Scalar>
void take_times(const ChangedModel<Scalar>& model, const DecoderInput& input, CacheUse& use) {
  use.in_turn_ms = shortest_ms([&] {
    const auto decoder = make_decoder<Scalar>(model, nullptr, input);
    for (const CacheStep& step : use.steps) decoder->step({&step.read, 1});
  });
  std::vector<int> read;
  for (const CacheStep& step : use.steps) read.push_back(step.read);
  Saved<Scalar> saved;
  use.at_once_ms = shortest_ms([&] {
    Batch batch;
    batch.source.add(input.sources.front());
    batch.target_in.add(read);
    batch.target_out.add(read);
    model.change(batch, input.first_sentence);
    WhatIfTap<Scalar> tap = model.tap();
    tap.rows_of(batch, input.first_sentence);
    model.model().forward(batch, saved, tap);
  });
}

}  // namespace

StepCost cost_before_first(const Config& config, int source) {
  const Sizes n = sizes(config, source);
  StepCost cost;
  cost.projections = n.layers * n.source * 2 * n.d * n.d;  // the memory's keys and values
  cost.encoder = n.encoder_layers * n.source * (4 * n.d * n.d + 2 * n.source * n.d + n.products * n.d * n.f);
  return cost;
}

StepCost cost_with_cache(const Config& config, int source, int words) {
  return rows_cost(sizes(config, source), 1, words);
}

StepCost cost_without_cache(const Config& config, int source, int words) {
  StepCost cost = rows_cost(sizes(config, source), words, words);
  const StepCost first = cost_before_first(config, source);
  cost.projections += first.projections;
  cost.encoder = first.encoder;
  return cost;
}

template <class Scalar>
CacheUse compare_with_cache(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                            const std::vector<int>& words) {
  const Config& config = model.model().config;
  const std::vector<std::vector<int>> sources = {source};
  const DecoderInput input{.sources = sources, .max_length = config.max_length};
  CacheUse use;
  use.kept = !reads_ahead(model.what_if());
  const int tokens = static_cast<int>(source.size());
  if (use.kept) use.before = cost_before_first(config, tokens);
  const auto cached = use.kept ? make_decoder<Scalar>(model, nullptr, input) : nullptr;
  WholePrefixDecoder<Scalar> whole(model, input);
  int read = config.first_id();
  for (std::size_t place = 0; place < words.size(); ++place) {
    if (static_cast<int>(place) + 1 >= config.max_length) break;
    CacheStep& step = use.steps.emplace_back();
    step.read = read;
    const int written = static_cast<int>(place) + 1;
    step.without = cost_without_cache(config, tokens, written);
    if (cached) {
      step.with = cost_with_cache(config, tokens, written);
      const Matrix<Scalar> one = cached->step({&read, 1});
      const Matrix<Scalar> apart = one - whole.step({&read, 1});
      step.difference = apart.allFinite() ? static_cast<double>(apart.cwiseAbs().maxCoeff())
                                          : std::numeric_limits<double>::quiet_NaN();
    }
    read = words[place];
  }
  if (!use.steps.empty()) take_times(model, input, use);
  return use;
}

template CacheUse compare_with_cache(const ChangedModel<float>&, const std::vector<int>&,
                                     const std::vector<int>&);
template CacheUse compare_with_cache(const ChangedModel<double>&, const std::vector<int>&,
                                     const std::vector<int>&);

}  // namespace glassformer
