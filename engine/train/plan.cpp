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
  if (s.options.minutes > 0 && s.seconds >= 60 * s.options.minutes)
    return Stop{StopReason::minutes, "the " + number(s.options.minutes) + " minutes are over"};
  if (s.options.patience > 0 && s.without_improvement >= s.options.patience)
    return Stop{StopReason::patience, "the last " + std::to_string(s.without_improvement) +
                                          " validations brought no better loss than that of step " +
                                          std::to_string(best_step(s.curves))};
  return std::nullopt;
}

void Trainer::set_limits(long steps, double epochs, double minutes, int patience) {
  TrainingOptions options = state_->options;
  options.steps = steps;
  options.epochs = epochs;
  options.minutes = minutes;
  options.patience = patience;
  options.total_steps = state_->schedule.total_steps;
  check(options);
  state_->options = options;
}

bool Trainer::plan_over() const {
  const TrainerState& s = *state_;
  if (s.divergence) return false;
  const bool falls = s.schedule.kind == ScheduleKind::linear || s.schedule.kind == ScheduleKind::cosine;
  return stop() || (falls && s.step - s.schedule.from >= s.schedule.total_steps);
}

long Trainer::extension() const {
  const TrainerState& s = *state_;
  return s.schedule.total_steps > 0 ? s.schedule.total_steps : std::max(1L, s.step - s.schedule.from);
}

void Trainer::extend_plan() {
  TrainerState& s = *state_;
  const long more = extension();
  set_limits(s.step + more, 0, 0, s.options.patience);
  s.without_improvement = 0;
  s.schedule.from = s.step;
  s.curves.marks.push_back({.step = s.step, .text = "plan extended by " + std::to_string(more) + " steps"});
}

long Trainer::planned_steps() const {
  const long by_epochs =
      std::lround(std::ceil(state_->options.epochs * static_cast<double>(state_->batches_per_epoch)));
  const long by_steps = state_->options.steps;
  if (by_epochs == 0 || by_steps == 0) return std::max(by_epochs, by_steps);
  return std::min(by_epochs, by_steps);
}

}  // namespace glassformer
