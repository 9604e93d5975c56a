#include "app/session/measuring.h"

#include <algorithm>

#include "engine/train/evaluation.h"

namespace glassformer {

std::vector<SentencePair> measuring_pairs(const std::vector<SentencePair>& held_out,
                                          const Tokenizers& tokenizers, const Config& config,
                                          std::size_t count) {
  std::vector<SentencePair> pairs;
  if (!tokenizers.source || !tokenizers.target) return pairs;
  for (std::size_t at = 0; at < held_out.size() && pairs.size() < count; ++at) {
    if (fits(encode_pairs({held_out[at]}, tokenizers).front(), config)) pairs.push_back(held_out[at]);
  }
  return pairs;
}

std::shared_ptr<const Batch> measuring_batch(const std::vector<SentencePair>& held_out,
                                             const Tokenizers& tokenizers, const Config& config,
                                             std::size_t count) {
  std::vector<std::vector<int>> sources, targets;
  for (const SentencePair& each : measuring_pairs(held_out, tokenizers, config, count)) {
    const EncodedPair pair = encode_pairs({each}, tokenizers).front();
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  if (sources.empty()) return nullptr;
  return std::make_shared<const Batch>(make_batch(sources, targets, config));
}

std::optional<HeadReport> measured_heads(const Snapshot& model, const Tokenizers& tokenizers,
                                         const std::vector<SentencePair>& pairs, double smoothing,
                                         WorkerPool* pool,
                                         const std::function<bool(long done, long all)>& progress,
                                         const std::function<void(const HeadReport& so_far)>& known) {
  const auto batch = measuring_batch(pairs, tokenizers, model.config, pairs.size());
  if (!batch) return std::nullopt;
  std::vector<std::string> references;
  for (const SentencePair& pair : pairs) references.push_back(pair.target);
  return head_report({.model = *model.weights,
                      .batch = *batch,
                      .smoothing = smoothing,
                      .words = tokenizers.target.get(),
                      .references = references,
                      .pool = pool,
                      .progress = progress,
                      .known = known});
}

bool wants(const WhatIf& what_if, Replacement by) {
  return std::ranges::any_of(what_if.changes, [&](const Change& change) { return change.by == by; });
}

}  // namespace glassformer
