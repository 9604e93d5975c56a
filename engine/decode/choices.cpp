#include "engine/decode/choices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/math/softmax.h"

namespace glassformer {

namespace {

constexpr std::size_t kShortList = 64;

// What no search may write. Where nothing at all has a logit above that, the model is broken: all stay.
template <class Scalar>
bool forbidden(Scalar logit, double log_sum) {
  return logit == -std::numeric_limits<Scalar>::infinity() && std::isfinite(log_sum);
}

// Ties to the lowest id; NaN last.
template <class Scalar>
std::vector<int> best_first(std::span<const Scalar> logits) {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Scalar x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
    return x > y || (x == y && a < b);
  });
  return order;
}

}  // namespace

template <class Scalar>
void likeliest(std::span<const Scalar> logits, double log_sum, int count, std::vector<Candidate>& best) {
  best.clear();
  const auto limit = static_cast<std::size_t>(std::max(count, 0));
  if (limit == 0) return;
  if (limit > kShortList) {
    const std::vector<int> order = best_first(logits);
    for (std::size_t i = 0; i < order.size() && best.size() < limit; ++i) {
      const Scalar logit = logits[static_cast<std::size_t>(order[i])];
      if (!forbidden(logit, log_sum)) best.push_back({order[i], static_cast<double>(logit) - log_sum});
    }
    return;
  }
  // A short list kept in order; most tokens fail at its last entry.
  for (std::size_t id = 0; id < logits.size(); ++id) {
    if (forbidden(logits[id], log_sum)) continue;
    const double log_probability = static_cast<double>(logits[id]) - log_sum;
    if (best.size() == limit && !(log_probability > best.back().log_probability)) continue;
    if (best.size() == limit) best.pop_back();
    auto place = best.end();
    while (place != best.begin() && log_probability > std::prev(place)->log_probability) --place;
    best.insert(place, {static_cast<int>(id), log_probability});
  }
}

template <class Scalar>
DrawPool draw_pool(std::span<const Scalar> logits, const DecodeOptions& options) {
  DrawPool pool;
  const auto logit = [&](int id) { return static_cast<double>(logits[static_cast<std::size_t>(id)]); };
  pool.order = best_first(logits);
  pool.after_top_k = pool.order.size();
  const auto top_k = static_cast<std::size_t>(std::max(options.top_k, 0));
  if (top_k > 0) pool.after_top_k = std::min(pool.after_top_k, top_k);
  if (pool.order.empty()) return pool;
  if (options.temperature <= 0) {
    pool.weights = {1};
    pool.kept_sum = 1;
    return pool;
  }

  const double largest = logit(pool.order.front());
  double sum = 0;
  for (std::size_t i = 0; i < pool.after_top_k; ++i) {
    pool.weights.push_back(std::exp((logit(pool.order[i]) - largest) / options.temperature));
    sum += pool.weights.back();
  }

  // The nucleus.
  pool.kept_sum = sum;
  if (options.top_p < 1) {
    std::size_t kept = 0;
    pool.kept_sum = 0;
    while (kept < pool.weights.size()) {
      pool.kept_sum += pool.weights[kept++];
      if (pool.kept_sum >= options.top_p * sum) break;
    }
    pool.weights.resize(kept);
  }
  return pool;
}

template <class Scalar>
std::vector<TokenShare> token_shares(std::span<const Scalar> logits, const DecodeOptions& options) {
  const DrawPool pool = draw_pool(logits, options);
  const bool warm = options.temperature > 0;
  std::vector<TokenShare> shares;
  double before = 0, tempered = 0;
  for (std::size_t i = 0; i < pool.order.size(); ++i) {
    const auto logit = [&](int id) { return static_cast<double>(logits[static_cast<std::size_t>(id)]); };
    const double distance = logit(pool.order[i]) - logit(pool.order.front());
    TokenShare& share = shares.emplace_back();
    share.id = pool.order[i];
    share.before = std::exp(distance);
    share.tempered = warm ? std::exp(distance / options.temperature) : i == 0 ? 1 : 0;
    if (logit(pool.order[i]) == -std::numeric_limits<double>::infinity())
      share.fate = ShareFate::not_allowed;
    else if (i < pool.weights.size())
      share.after = pool.weights[i] / pool.kept_sum;
    else if (!warm)
      share.fate = ShareFate::cut_by_temperature;
    else
      share.fate = i < pool.after_top_k ? ShareFate::cut_by_top_p : ShareFate::cut_by_top_k;
    before += share.before;
    tempered += share.tempered;
  }
  for (TokenShare& share : shares) {
    share.before /= before;
    share.tempered /= tempered;
  }
  return shares;
}

template <class Scalar>
int sample(std::span<const Scalar> logits, const DecodeOptions& options, Random& random) {
  // The pool's only token, without sorting the others.
  if (options.temperature <= 0) return arg_max(logits.data(), static_cast<int>(logits.size()));
  const double draw = random.uniform();
  const DrawPool pool = draw_pool(logits, options);
  double reached = 0;
  for (std::size_t i = 0; i < pool.weights.size(); ++i) {
    reached += pool.weights[i];
    if (draw * pool.kept_sum < reached) return pool.order[i];
  }
  return pool.order[pool.weights.size() - 1];
}

#define GLASSFORMER_CHOICES(Scalar)                                                             \
  template void likeliest(std::span<const Scalar>, double, int, std::vector<Candidate>&);       \
  template DrawPool draw_pool(std::span<const Scalar>, const DecodeOptions&);                   \
  template std::vector<TokenShare> token_shares(std::span<const Scalar>, const DecodeOptions&); \
  template int sample(std::span<const Scalar>, const DecodeOptions&, Random&);
GLASSFORMER_CHOICES(float)
GLASSFORMER_CHOICES(double)

}  // namespace glassformer
