#include "engine/decode/choices.h"

#include <algorithm>
#include <cmath>

#include "engine/math/softmax.h"

namespace glassformer {

template <class Scalar>
void likeliest(std::span<const Scalar> logits, double log_sum, int count, std::vector<Candidate>& best) {
  // A short list kept in order; most tokens fail at its last entry.
  best.clear();
  const auto limit = static_cast<std::size_t>(std::max(count, 0));
  if (limit == 0) return;
  for (std::size_t id = 0; id < logits.size(); ++id) {
    const double log_probability = static_cast<double>(logits[id]) - log_sum;
    if (best.size() == limit && !(log_probability > best.back().log_probability)) continue;
    if (best.size() == limit) best.pop_back();
    auto place = best.end();
    while (place != best.begin() && log_probability > std::prev(place)->log_probability) --place;
    best.insert(place, {static_cast<int>(id), log_probability});
  }
}

template <class Scalar>
int sample(std::span<const Scalar> logits, const DecodeOptions& options, Random& random) {
  const int size = static_cast<int>(logits.size());
  if (options.temperature <= 0) return arg_max(logits.data(), size);
  const double draw = random.uniform();

  // Best first, as shares of the likeliest.
  std::vector<int> order(logits.size());
  for (int i = 0; i < size; ++i) order[static_cast<std::size_t>(i)] = i;
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Scalar x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
    return x > y || (x == y && a < b);
  });
  if (options.top_k > 0 && options.top_k < size) order.resize(static_cast<std::size_t>(options.top_k));
  const auto largest = static_cast<double>(logits[static_cast<std::size_t>(order.front())]);
  std::vector<double> shares;
  double sum = 0;
  for (const int id : order) {
    const double logit = static_cast<double>(logits[static_cast<std::size_t>(id)]);
    shares.push_back(std::exp((logit - largest) / options.temperature));
    sum += shares.back();
  }

  // The nucleus.
  std::size_t kept = shares.size();
  double kept_sum = sum;
  if (options.top_p < 1) {
    kept_sum = 0;
    for (kept = 0; kept < shares.size();) {
      kept_sum += shares[kept++];
      if (kept_sum >= options.top_p * sum) break;
    }
  }

  double reached = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    reached += shares[i];
    if (draw * kept_sum < reached) return order[i];
  }
  return order[kept - 1];
}

#define GLASSFORMER_CHOICES(Scalar)                                                       \
  template void likeliest(std::span<const Scalar>, double, int, std::vector<Candidate>&); \
  template int sample(std::span<const Scalar>, const DecodeOptions&, Random&);
GLASSFORMER_CHOICES(float)
GLASSFORMER_CHOICES(double)

}  // namespace glassformer
