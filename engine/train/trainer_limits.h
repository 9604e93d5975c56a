// How far a run goes: its limits, when they are reached, and extending them; included by
// trainer.cpp alone.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/train/limits.h"
#include "engine/train/run_folder.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

template <class Model>
std::optional<Stop> Training<Model>::stop() const {
  const TrainerState<Model>& s = *state_;
  if (s.divergence) return s.divergence;
  return limit_reached(s.options, {.step = s.step,
                                   .epoch = epoch(),
                                   .seconds = s.seconds,
                                   .time_limit = time_limit(),
                                   .without_improvement = s.without_improvement,
                                   .best_step = best_step(s.curves),
                                   .held_out = !s.data->validation.empty()});
}

template <class Model>
double Training<Model>::time_limit() const {
  const TrainerState<Model>& s = *state_;
  return s.options.minutes > 0 ? s.minutes_from + 60 * s.options.minutes : 0;
}

template <class Model>
void Training<Model>::set_limits(long steps, double epochs, double minutes, int patience) {
  TrainingOptions options = state_->options;
  if (minutes != options.minutes) state_->minutes_from = 0;
  options.steps = steps;
  options.epochs = epochs;
  options.minutes = minutes;
  options.patience = patience;
  options.total_steps = state_->schedule.total_steps;
  check(options);
  state_->options = options;
}

template <class Model>
bool Training<Model>::schedule_over() const {
  const TrainerState<Model>& s = *state_;
  const bool falls = s.schedule.kind == ScheduleKind::linear || s.schedule.kind == ScheduleKind::cosine;
  return falls && s.step - s.schedule.from >= s.schedule.total_steps;
}

template <class Model>
bool Training<Model>::plan_over() const {
  return !state_->divergence && (stop() || schedule_over());
}

template <class Model>
Extension Training<Model>::extension() const {
  const TrainerState<Model>& s = *state_;
  const std::optional<Stop> end = stop();
  Extension more{.schedule_anew = schedule_over() || s.moments_from == s.step};
  if (!schedule_over() && end && end->reason == StopReason::minutes)
    more.minutes = s.options.minutes;
  else if (!schedule_over() && end && end->reason == StopReason::patience)
    more.validations = s.options.patience;
  else
    more.steps = s.schedule.total_steps > 0 ? s.schedule.total_steps : std::max(1L, s.step - s.schedule.from);
  return more;
}

template <class Model>
void Training<Model>::extend_plan() {
  TrainerState<Model>& s = *state_;
  const Extension more = extension();
  std::string text(kPlanExtended);
  if (more.steps > 0) {
    set_limits(s.step + more.steps, 0, s.options.minutes, s.options.patience);
    text += std::to_string(more.steps) + " steps";
  } else if (more.minutes > 0) {
    text += nlohmann::json(more.minutes).dump() + " minutes";
  } else {
    text += "the patience of " + std::to_string(more.validations) + " validations";
  }
  // Whatever else had ended it counts anew as well.
  if (s.options.minutes > 0 && s.seconds >= time_limit()) s.minutes_from = s.seconds;
  s.without_improvement = 0;
  if (more.schedule_anew) s.schedule.from = s.step;
  s.curves.marks.push_back({.step = s.step, .text = text});
}

template <class Model>
std::unique_ptr<Training<Model>> Training<Model>::train_on(const std::string& folder,
                                                           std::shared_ptr<const TrainingSet> data,
                                                           int threads) {
  std::unique_ptr<Training<Model>> trainer(
      new Training<Model>(read_run_without_state<Model>(folder, std::move(data), threads)));
  trainer->extend_plan();
  // Fresh moments know nothing of the gradients yet: at the full rate the first steps would undo what it
  // knows.
  TrainerState<Model>& s = *trainer->state_;
  s.schedule = {.kind = ScheduleKind::constant,
                .peak = s.schedule.peak_rate() / 10,
                .d_model = s.schedule.d_model,
                .from = s.step};
  LiveSettings plain = s.live;
  plain.rate_scale = 1;
  trainer->change(plain);
  s.curves.marks.push_back({.step = s.step, .text = "on with fresh moments, at a tenth of the peak rate"});
  return trainer;
}

template <class Model>
long Training<Model>::planned_steps() const {
  return glassformer::planned_steps(state_->options, state_->batches_per_epoch);
}

}  // namespace glassformer
