#include "engine/recurrent/steps.h"

#include <algorithm>

namespace glassformer {

void Steps::arrange(const PackedIds& ids, int first_sentence, int sentences) {
  // Longest first; of equally long ones, in the order of the batch.
  order_.resize(static_cast<std::size_t>(sentences));
  for (int i = 0; i < sentences; ++i) order_[static_cast<std::size_t>(i)] = first_sentence + i;
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return ids.length(a) != ids.length(b) ? ids.length(a) > ids.length(b) : a < b;
  });
  lengths_.clear();
  for (const int sentence : order_) lengths_.push_back(ids.length(sentence));
  first_sentence_ = first_sentence;
  places_.resize(order_.size());
  for (int i = 0; i < sentences; ++i) places_[static_cast<std::size_t>(sentence(i) - first_sentence)] = i;

  const int steps = lengths_.empty() ? 0 : lengths_.front();
  first_.assign(1, ids.begin(first_sentence));
  tokens_.clear();
  int count = sentences;
  for (int step = 0; step < steps; ++step) {
    while (count > 0 && length(count - 1) <= step) --count;
    for (int place = 0; place < count; ++place) tokens_.push_back(ids.begin(sentence(place)) + step);
    first_.push_back(first_.back() + count);
  }
}

void Steps::arrange_single(int sentences) {
  first_ = {0, sentences};
  order_.resize(static_cast<std::size_t>(sentences));
  for (int i = 0; i < sentences; ++i) order_[static_cast<std::size_t>(i)] = i;
  lengths_.assign(static_cast<std::size_t>(sentences), 1);
  tokens_ = places_ = order_;
  first_sentence_ = 0;
}

}  // namespace glassformer
