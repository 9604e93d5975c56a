#include "engine/text/split.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/math/error.h"
#include "engine/math/random.h"

namespace glassformer {

Split split_by_source(const std::vector<SentencePair>& pairs, const SplitSizes& sizes, std::uint64_t seed) {
  // Gather the pairs of each source.
  std::unordered_map<std::string_view, std::size_t> group_of;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [place, fresh] = group_of.emplace(pairs[i].source, groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(i);
  }

  // Deal out whole groups in random order.
  Random(seed).shuffle(groups);
  Split split;
  for (const auto& group : groups) {
    auto& part = static_cast<long>(split.validation.size()) < sizes.validation ? split.validation
                 : static_cast<long>(split.test.size()) < sizes.test           ? split.test
                                                                               : split.training;
    part.insert(part.end(), group.begin(), group.end());
  }
  if (split.training.empty()) {
    throw Error("split", "of " + std::to_string(pairs.size()) + " pairs with " +
                             std::to_string(groups.size()) +
                             " different sources none is left to train on when " +
                             std::to_string(sizes.validation) + " validate and " +
                             std::to_string(sizes.test) + " test; give more pairs or hold out fewer");
  }
  for (auto* part : {&split.training, &split.validation, &split.test}) std::sort(part->begin(), part->end());
  return split;
}

}  // namespace glassformer
