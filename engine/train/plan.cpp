// How far a run is to go: its limits, when they are reached, and going on past them.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/train/trainer.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

namespace {

long best_step(const Curves& curves) {
  long step = 0;
  for (const ValidationPoint& point : curves.validations)
    if (point.best) step = point.step;
  return step;
}

}  // namespace

std::optional<Stop> Trainer::stop() const {
  const TrainerState& s = *state_;
  const auto number = [](double value) {
    const std::string text = nlohmann::json(value).dump();
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
  };
  if (s.divergence) return s.divergence;
  if (s.options.steps > 0 && s.step >= s.options.steps)
    return Stop{StopReason::steps, "all " + std::to_string(s.options.steps) + " steps are done"};
  if (s.options.epochs > 0 && epoch() >= s.options.epochs)
    return Stop{StopReason::epochs, "all " + number(s.options.epochs) + " passes over the data are done"};
  if (s.options.minutes > 0 && s.seconds >= time_limit())
    return Stop{StopReason::minutes, "the " + number(s.options.minutes) + " minutes are over"};
  if (s.options.patience > 0 && s.without_improvement >= s.options.patience)
    return Stop{StopReason::patience,
                "the last " + std::to_string(s.without_improvement) +
                    (s.data->validation.empty() ? " looks at the training loss" : " validations") +
                    " brought no better loss than that of step " + std::to_string(best_step(s.curves))};
  return std::nullopt;
}

double Trainer::time_limit() const {
  const TrainerState& s = *state_;
  return s.options.minutes > 0 ? s.minutes_from + 60 * s.options.minutes : 0;
}

void Trainer::set_limits(long steps, double epochs, double minutes, int patience) {
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

bool Trainer::schedule_over() const {
  const TrainerState& s = *state_;
  const bool falls = s.schedule.kind == ScheduleKind::linear || s.schedule.kind == ScheduleKind::cosine;
  return falls && s.step - s.schedule.from >= s.schedule.total_steps;
}

bool Trainer::plan_over() const {
  return !state_->divergence && (stop() || schedule_over());
}

Extension Trainer::extension() const {
  const TrainerState& s = *state_;
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

void Trainer::extend_plan() {
  TrainerState& s = *state_;
  const Extension more = extension();
  std::string text = "plan extended by ";
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

long Trainer::planned_steps() const {
  const long by_epochs =
      std::lround(std::ceil(state_->options.epochs * static_cast<double>(state_->batches_per_epoch)));
  const long by_steps = state_->options.steps;
  if (by_epochs == 0 || by_steps == 0) return std::max(by_epochs, by_steps);
  return std::min(by_epochs, by_steps);
}

}  // namespace glassformer
