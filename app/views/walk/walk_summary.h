// What a matrix holds that is too large to be seen whole.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/reading/walk_scene.h"

namespace glassformer {

struct WalkSummary {
  std::string name;
  OperandStore store = OperandStore::trace;
  double lowest = 0, highest = 0, mean = 0;  // of all its numbers but infinite ones
};

struct SummaryKey {
  std::shared_ptr<const WalkScene> scene = {};
  int step = -1;
  bool operator==(const SummaryKey&) const = default;
};
using SummaryCache = Background<SummaryKey, std::vector<WalkSummary>>;

// Of the step's matrices that have an axis too long to be shown whole; small ones at once, large ones on a
// worker: empty until they are there.
std::vector<WalkSummary> walk_summaries(SummaryCache& cache, const std::shared_ptr<const WalkScene>& scene,
                                        int step, bool at_once);

// "all −2.1 to 3.4, mean 0.01"; empty when there is none for this operand.
std::string summary_words(const std::vector<WalkSummary>& summaries, const Operand& operand);

}  // namespace glassformer
