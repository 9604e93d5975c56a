#include "engine/train/recurrent_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/math/error.h"
#include "engine/train/evaluation.h"
#include "engine/train/limits.h"

namespace glassformer {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

std::string about_divergence(long step, double loss) {
  return std::string(std::isfinite(loss) ? "the gradient" : "the loss") +
         " became infinite or no number at step " + std::to_string(step) +
         ": the learning rate is likely too high; take a lower one, a longer warm-up or a clip of 1";
}

}  // namespace

RecurrentRun::RecurrentRun(std::shared_ptr<const TrainingSet> data, const RecurrentConfig& config,
                           const TrainingOptions& options)
    : learner_(std::move(data), config, options),
      validate_every_(options.validate_every > 0 ? options.validate_every
                                                 : std::clamp(learner_.batches_per_epoch(), 100L, 1000L)),
      best_loss_(std::numeric_limits<double>::infinity()),
      kept_loss_(kNotMeasured) {
  if (options.average != 1)
    throw Error("training", "average must be 1 for a recurrent model, found " +
                                std::to_string(options.average) + "; means of weights are for Transformers");
}

StepReport RecurrentRun::step() {
  const StepReport report = learner_.step();
  if (divergence_) return report;
  if (learner_.diverged()) {
    const long failed = learner_.step_count() + 1;
    divergence_ = Stop{StopReason::diverged, about_divergence(failed, report.loss)};
    curves_.marks.push_back({.step = failed, .text = "diverged"});
    return report;
  }
  curves_.steps.push_back({.loss = static_cast<float>(report.loss),
                           .learning_rate = static_cast<float>(report.learning_rate),
                           .gradient_norm = static_cast<float>(report.gradient_norm),
                           .tokens_per_s = static_cast<float>(static_cast<double>(report.tokens) /
                                                              std::max(report.seconds, 1e-9))});
  return report;
}

std::optional<Stop> RecurrentRun::stop() const {
  if (divergence_) return divergence_;
  return limit_reached(options(), {.step = step_count(),
                                   .epoch = epoch(),
                                   .seconds = seconds(),
                                   .time_limit = time_limit(),
                                   .without_improvement = without_improvement_,
                                   .best_step = best_step(curves_),
                                   .held_out = !data().validation.empty()});
}

void RecurrentRun::set_limits(long steps, double epochs, double minutes, int patience) {
  learner_.set_limits(steps, epochs, minutes, patience);
}

long RecurrentRun::planned_steps() const {
  return glassformer::planned_steps(options(), learner_.batches_per_epoch());
}

bool RecurrentRun::validation_due() const {
  if (divergence_ || step_count() == 0 || validated_step_ == step_count()) return false;
  return step_count() % validate_every_ == 0 || stop();
}

std::optional<ValidationPoint> RecurrentRun::validate(const std::function<bool()>& keep_going) {
  if (divergence_) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  ValidationPoint point{
      .step = step_count(), .loss = kNotMeasured, .nll = kNotMeasured, .token_accuracy = kNotMeasured};
  if (data().validation.empty()) {
    point.loss = recent_loss(curves_, validate_every_);
  } else {
    const auto forced = teacher_forced(
        model(), data().validation,
        {.smoothing = options().smoothing, .pool = &learner_.pool(), .keep_going = keep_going});
    if (!forced) return std::nullopt;
    point.loss = forced->loss;
    point.nll = forced->nll;
    point.token_accuracy = forced->token_accuracy;
    point.exact_match = forced->exact_match;
  }
  validated_step_ = step_count();
  point.best = point.loss < best_loss_;
  if (point.best) best_loss_ = point.loss;
  without_improvement_ = point.best ? 0 : without_improvement_ + 1;
  if (point.best || (options().keep == Keep::last && std::isfinite(point.loss))) {
    kept_ = learner_.snapshot();
    kept_step_ = step_count();
    kept_loss_ = point.loss;
  }
  curves_.validations.push_back(point);
  learner_.add_seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return point;
}

bool RecurrentRun::newest_is_kept() const {
  return !kept_ || (options().keep == Keep::last && !divergence_);
}

std::shared_ptr<const RecurrentModel<float>> RecurrentRun::kept() const {
  // The same weights under one pointer, so that a save knows them again.
  const bool same = kept_ && kept_step_ == step_count();
  return newest_is_kept() && !same ? learner_.snapshot() : kept_;
}

long RecurrentRun::kept_step() const {
  return newest_is_kept() ? step_count() : kept_step_;
}

bool RecurrentRun::folder_was_lost() {
  return std::exchange(folder_lost_, false);
}

}  // namespace glassformer
