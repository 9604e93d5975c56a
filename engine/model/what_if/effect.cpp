#include "engine/model/what_if/effect.h"

#include <algorithm>
#include <cmath>

#include "engine/math/softmax.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

namespace glassformer {

namespace {

// Rows (L, V_t) of logits: what is thought of each place's word after the words before it.
Matrix<float> step_by_step(const ChangedModel<float>& model, const std::vector<int>& source,
                           const std::vector<int>& words) {
  const Config& config = model.model().config;
  std::vector<int> read = {config.first_id()};
  read.insert(read.end(), words.begin(), words.end() - 1);
  Matrix<float> logits(std::ssize(words), config.target_vocab);
  Saved<float> saved;
  const auto pass = [&](std::size_t length) {
    Batch batch;
    batch.source.add(source);
    batch.target_in.add(std::span(read).first(length));
    batch.target_out.add(std::span(words).first(length));
    model.change(batch);
    WhatIfTap<float> tap = model.tap();
    tap.rows_of(batch);
    model.model().forward(batch, saved, tap);
  };
  if (!reads_ahead(model.what_if())) {
    pass(read.size());
    logits = saved.logits.topRows(logits.rows());
    return logits;
  }
  for (std::size_t length = 1; length <= read.size(); ++length) {
    pass(length);
    const auto last = static_cast<Eigen::Index>(length) - 1;
    logits.row(last) = saved.logits.row(last);
  }
  return logits;
}

struct BothLogits {
  Matrix<float> before, after;
};
BothLogits both(const Transformer<float>& model, const WhatIf& what_if, const Substitutes& substitutes,
                const std::vector<int>& source, const std::vector<int>& words) {
  const ChangedModel<float> untouched(model, {}), changed(model, what_if, substitutes);
  return {step_by_step(untouched, source, words), step_by_step(changed, source, words)};
}

RowVector<double> log_probabilities(const Matrix<float>& logits, Eigen::Index row) {
  const RowVector<double> exact = logits.row(row).cast<double>();
  return exact.array() - log_sum_exp(exact.data(), static_cast<int>(exact.size()));
}

int best_of(const RowVector<double>& values) {
  return arg_max(values.data(), static_cast<int>(values.size()));
}

// -sum of target * log p, the target being smoothed over all words.
double smoothed_loss(const RowVector<double>& log_p, int word, double smoothing) {
  return -(1 - smoothing) * log_p[word] - smoothing * log_p.mean();
}

}  // namespace

SentenceEffect sentence_effect(const Transformer<float>& model, const WhatIf& what_if,
                               const Substitutes& substitutes, const std::vector<int>& source,
                               const std::vector<int>& words, double smoothing) {
  SentenceEffect effect;
  if (words.empty()) return effect;
  const BothLogits logits = both(model, what_if, substitutes, source, words);
  for (Eigen::Index row = 0; row < logits.before.rows(); ++row) {
    const RowVector<double> before = log_probabilities(logits.before, row),
                            after = log_probabilities(logits.after, row);
    PlaceEffect place;
    place.word = words[static_cast<std::size_t>(row)];
    place.best_before = best_of(before);
    place.best_after = best_of(after);
    RowVector<double> others = before;
    others[place.word] = -1e300;
    const bool other_wins = place.best_after != place.word && std::isfinite(after[place.best_after]);
    place.against = other_wins ? place.best_after : best_of(others);
    place.before = before[place.word];
    place.after = after[place.word];
    const double kl = (before.array().exp() * (before - after).array()).sum();
    place.kl = kl < 0 ? 0 : kl;  // by rounding; what is no number stays so
    place.logit_difference_before = before[place.word] - before[place.against];
    place.logit_difference_after = after[place.word] - after[place.against];
    effect.loss_before += smoothed_loss(before, place.word, smoothing);
    effect.loss_after += smoothed_loss(after, place.word, smoothing);
    effect.places.push_back(place);
  }
  const auto count = static_cast<double>(effect.places.size());
  effect.loss_before /= count;
  effect.loss_after /= count;
  return effect;
}

std::vector<LogitDifference> logit_differences(const Transformer<float>& model, const WhatIf& what_if,
                                               const Substitutes& substitutes, const std::vector<int>& source,
                                               const std::vector<int>& words, int word, int other) {
  std::vector<LogitDifference> differences;
  if (words.empty()) return differences;
  const BothLogits logits = both(model, what_if, substitutes, source, words);
  for (Eigen::Index row = 0; row < logits.before.rows(); ++row) {
    const auto difference = [&](const Matrix<float>& of) {
      return static_cast<double>(of(row, word)) - static_cast<double>(of(row, other));
    };
    differences.push_back({difference(logits.before), difference(logits.after)});
  }
  return differences;
}

}  // namespace glassformer
