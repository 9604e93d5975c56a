#include "engine/analysis/prediction.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "engine/layers/cross_entropy.h"
#include "engine/math/error.h"
#include "engine/model/names.h"

namespace glassformer {

namespace {

// Of a smoothed target, nearly all of whose shares are the same.
double entropy_of(const Plane& shares, int row) {
  double entropy = 0, last = 0, part = 0;
  for (int id = 0; id < shares.columns; ++id) {
    const auto share = static_cast<double>(shares(row, id));
    if (share != last) last = share, part = share > 0 ? share * std::log(share) : 0;
    entropy -= part;
  }
  return entropy;
}

// The planes of a sentence, (places, V_t).
struct OutputPlanes {
  OutputPlanes(const Trace& trace, int sentence, int position) {
    const auto at = static_cast<std::size_t>(sentence), row = static_cast<std::size_t>(position);
    if (sentence < 0 || at >= trace.target_out.size() || position < 0 || row >= trace.target_out[at].size())
      throw Error("prediction_at",
                  "sentence " + std::to_string(sentence) + " has no place " + std::to_string(position));
    const auto plane = [&](ValueKind value) { return trace.plane(output_value(value), sentence); };
    logits = plane(ValueKind::logits), log_p = plane(ValueKind::log_probabilities);
    target = plane(ValueKind::smoothed_target);
  }
  WordShare share(int position, int id) const {
    WordShare word{.id = id};
    word.logit = static_cast<double>(logits(position, id));
    word.probability = std::exp(static_cast<double>(log_p(position, id)));
    word.target = static_cast<double>(target(position, id));
    word.difference = word.probability - word.target;
    return word;
  }
  Plane logits, log_p, target;
};

}  // namespace

WordShare word_share_at(const Trace& trace, int sentence, int position, int id) {
  return OutputPlanes(trace, sentence, position).share(position, id);
}

Prediction prediction_at(const Trace& trace, int sentence, int position, int strongest) {
  const OutputPlanes planes(trace, sentence, position);
  const Plane& log_p = planes.log_p;
  const auto at = static_cast<std::size_t>(sentence), row = static_cast<std::size_t>(position);
  Prediction prediction;
  prediction.right = planes.share(position, trace.target_out[at][row]);
  std::vector<int> order(static_cast<std::size_t>(log_p.columns)),
      best(static_cast<std::size_t>(std::clamp(strongest, 0, log_p.columns)));
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort_copy(order.begin(), order.end(), best.begin(), best.end(), [&](int a, int b) {
    const float first = log_p(position, a), second = log_p(position, b);
    return first != second ? first > second : a < b;
  });
  for (const int id : best) prediction.strongest.push_back(planes.share(position, id));

  const int index[] = {sentence, position};
  prediction.loss = static_cast<double>(trace.at(output_value(ValueKind::token_loss)).at(index));
  prediction.target_entropy = entropy_of(planes.target, position);
  prediction.kl = prediction.loss - prediction.target_entropy;
  const auto width = static_cast<std::size_t>(log_p.columns);
  prediction.entropy = prediction_entropy(std::span(log_p.data + row * width, width));
  return prediction;
}

}  // namespace glassformer
