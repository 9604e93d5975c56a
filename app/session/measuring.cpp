#include "app/session/measuring.h"

#include <algorithm>

namespace glassformer {

std::shared_ptr<const Batch> measuring_batch(const std::vector<SentencePair>& held_out,
                                             const Tokenizers& tokenizers, const Config& config,
                                             std::size_t count) {
  if (!tokenizers.source || !tokenizers.target) return nullptr;
  std::vector<std::vector<int>> sources, targets;
  const auto fits = [&](const std::vector<int>& ids) { return std::ssize(ids) < config.max_length; };
  for (std::size_t at = 0; at < held_out.size() && sources.size() < count; ++at) {
    const EncodedPair pair = encode_pairs({held_out[at]}, tokenizers).front();
    if (pair.source.empty() || !fits(pair.source) || !fits(pair.target)) continue;
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  if (sources.empty()) return nullptr;
  return std::make_shared<const Batch>(make_batch(sources, targets, config));
}

bool wants(const WhatIf& what_if, Replacement by) {
  return std::ranges::any_of(what_if.changes, [&](const Change& change) { return change.by == by; });
}

}  // namespace glassformer
