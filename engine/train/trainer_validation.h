// How Training validates and keeps the best weights; included by trainer.cpp alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/model/transformer.h"
#include "engine/train/evaluation.h"
#include "engine/train/limits.h"
#include "engine/train/trainer_state.h"

namespace glassformer {
namespace {

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();

template <class Model>
std::shared_ptr<const SnapshotOf<Model>> with_loss(const SnapshotOf<Model>& snapshot, double loss) {
  auto copy = std::make_shared<SnapshotOf<Model>>(snapshot);
  copy->validation_loss = loss;
  return copy;
}

}  // namespace

template <class Model>
std::shared_ptr<const SnapshotOf<Model>> mean_of(
    const std::vector<std::shared_ptr<const SnapshotOf<Model>>>& snapshots) {
  auto mean = std::make_shared<SnapshotOf<Model>>(*snapshots.back());
  if (snapshots.size() == 1) return mean;
  auto weights = std::make_shared<Model>(*snapshots.front()->weights);
  std::vector<Parameter<float>> sums;
  weights->visit([&](const std::string&, Parameter<float> tensor) { sums.push_back(tensor); });
  for (std::size_t i = 1; i < snapshots.size(); ++i) {
    std::size_t next = 0;
    snapshots[i]->weights->visit([&](const std::string&, Parameter<const float> tensor) {
      Parameter<float>& sum = sums[next++];
      for (std::size_t k = 0; k < tensor.size(); ++k) sum.data[k] += tensor.data[k];
    });
  }
  const float share = 1.0F / static_cast<float>(snapshots.size());
  for (Parameter<float>& sum : sums)
    for (std::size_t k = 0; k < sum.size(); ++k) sum.data[k] *= share;
  mean->weights = std::move(weights);
  return mean;
}

template <class Model>
bool Training<Model>::validation_due() const {
  const TrainerState<Model>& s = *state_;
  if (s.divergence || s.step == 0 || s.validated_step == s.step) return false;
  return s.step % s.validate_every == 0 || stop();
}

template <class Model>
std::optional<ValidationPoint> Training<Model>::validate(const std::function<bool()>& keep_going) {
  TrainerState<Model>& s = *state_;
  if (s.divergence) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  const bool averaging = s.options.average > 1;

  // The candidate: the current weights, or the mean of the last few.
  auto recent = s.recent;
  std::shared_ptr<const SnapshotOf<Model>> candidate;
  if (averaging) {
    recent.push_back(snapshot());
    if (recent.size() > static_cast<std::size_t>(s.options.average)) recent.erase(recent.begin());
    candidate = mean_of(recent);
  }
  const Model& model = candidate ? *candidate->weights : s.weights;

  // Measure it.
  ValidationPoint point{
      .step = s.step, .loss = kUnmeasured, .nll = kUnmeasured, .token_accuracy = kUnmeasured};
  if (s.data->validation.empty()) {
    point.loss = recent_loss(s.curves, s.validate_every);  // since the last time
  } else {
    const auto forced =
        teacher_forced(model, s.data->validation,
                       {.smoothing = s.live.smoothing, .pool = &s.pool, .keep_going = keep_going});
    if (!forced) return std::nullopt;
    point.loss = forced->loss;
    point.nll = forced->nll;
    point.token_accuracy = forced->token_accuracy;
    point.exact_match = forced->exact_match;
  }

  // Keep it when it is the best.
  s.recent = std::move(recent);
  s.validated_step = s.step;
  point.best = point.loss < s.best_loss;
  if (point.best) {
    s.best_loss = point.loss;
    s.remember_step();
    s.history.keep_best(s.step);
  }
  s.without_improvement = point.best ? 0 : s.without_improvement + 1;
  if (point.best || (s.options.keep == Keep::last && std::isfinite(point.loss))) {
    s.kept = with_loss(candidate ? *candidate : *snapshot(), point.loss);
    s.kept_steps.clear();
    for (const auto& each : s.recent) s.kept_steps.push_back(each->step);
    s.start.reset();
  }
  s.curves.validations.push_back(point);
  s.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return point;
}

template <class Model>
std::shared_ptr<const SnapshotOf<Model>> Training<Model>::snapshot(bool with_gradients_and_moments) const {
  const TrainerState<Model>& s = *state_;
  auto copy = std::make_shared<SnapshotOf<Model>>();
  copy->config = s.config;
  copy->weights = std::make_shared<Model>(s.weights);
  if (with_gradients_and_moments && s.weights_step == s.step) {
    copy->gradients = std::make_shared<Model>(s.gradient);
    copy->first_moment = std::make_shared<Model>(s.first_moment);
    copy->second_moment = std::make_shared<Model>(s.second_moment);
    copy->moments_from = s.moments_from;
  }
  copy->step = s.weights_step;
  copy->validation_loss = s.validated_step == s.weights_step && !s.curves.validations.empty()
                              ? s.curves.validations.back().loss
                              : kUnmeasured;
  return copy;
}

template <class Model>
std::shared_ptr<const SnapshotOf<Model>> Training<Model>::kept() const {
  const TrainerState<Model>& s = *state_;
  const bool newest = s.options.keep == Keep::last && s.options.average == 1 && !s.divergence;
  return s.kept && !newest ? s.kept : snapshot();
}

}  // namespace glassformer
