#include "engine/model/sentence_loss.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/model/names.h"

namespace glassformer {

double loss_so_far(const Trace& trace, int sentence, int tokens) {
  const Tensor& losses = trace.at(output_value(ValueKind::token_loss));
  double sum = 0;
  for (int at = 0; at < tokens; ++at) sum += static_cast<double>(losses.at(std::vector<int>{sentence, at}));
  return sum / std::max(1, tokens);
}

double log_probability_so_far(std::span<const double> of_tokens, int tokens) {
  const auto some =
      of_tokens.first(std::min(of_tokens.size(), static_cast<std::size_t>(std::max(0, tokens))));
  return std::accumulate(some.begin(), some.end(), 0.0);
}

}  // namespace glassformer
