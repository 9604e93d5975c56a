#include "tests/benchmark/recurrent.h"

#include <vector>

#include "engine/math/random.h"
#include "engine/recurrent/recurrent_model.h"
#include "tests/benchmark/times.h"

namespace glassformer {
namespace {

constexpr int kWidth = 128, kSentencePairs = 64, kLength = 24, kVocabulary = 100, kFirstId = 4;

// Pairs that are all equally long, so that every step is the same work.
Batch random_pairs(std::uint64_t seed) {
  Random random(seed);
  const auto sentence = [&] {
    std::vector<int> ids(kLength);
    for (int& id : ids) id = kFirstId + random.below(kVocabulary - kFirstId);
    return ids;
  };
  Batch batch;
  for (int i = 0; i < kSentencePairs; ++i) {
    batch.source.add(sentence());
    batch.target_in.add(sentence());
    batch.target_out.add(sentence());
  }
  return batch;
}

nlohmann::json one_kind(RecurrentAttention attention, double seconds, std::uint64_t seed, WorkerPool& pool) {
  const RecurrentConfig config{.width = kWidth,
                               .source_vocab = kVocabulary,
                               .target_vocab = kVocabulary,
                               .recurrent_attention = attention};
  RecurrentModel<float> model(config), gradient(config);
  model.initialize(seed);
  RecurrentSaved<float> saved;
  saved.pool = &pool;
  const Batch batch = random_pairs(seed);
  const double time = median_seconds(seconds, [&] {
    model.forward(batch, saved);
    model.loss(saved, {.gradient = true});
    model.backward(saved, gradient);
  });
  return {{"median_ms", time * 1e3}, {"tokens_per_s", batch.tokens() / time}};
}

}  // namespace

nlohmann::json bench_recurrent(double seconds, std::uint64_t seed, WorkerPool& pool) {
  return {{"width", kWidth},
          {"sentences", kSentencePairs},
          {"words", kLength},
          {"one_vector", one_kind(RecurrentAttention::none, seconds, seed, pool)},
          {"additive", one_kind(RecurrentAttention::additive, seconds, seed, pool)}};
}

}  // namespace glassformer
