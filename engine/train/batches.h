// The order in which a run sees its data: batches of sentences of similar length, shuffled anew in every
// epoch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glassformer {

struct PairLength {
  int source = 0;  // tokens, eos included
  int target = 0;  // tokens, eos included
  int total() const { return source + target; }
};

using BatchPlan = std::vector<std::vector<int>>;  // indices of pairs, a batch a row

// The batches of one epoch: every pair exactly once, at most batch_tokens source + target tokens a batch (a
// single pair may be longer). The same seed and epoch give the same plan on every machine, so a run is
// resumed from three numbers: seed, epoch, batch.
BatchPlan plan_epoch(std::span<const PairLength> lengths, int batch_tokens, std::uint64_t seed, long epoch);

// For evaluation: longest first, nothing random.
BatchPlan plan_sorted(std::span<const PairLength> lengths, int batch_tokens);

}  // namespace glassformer
