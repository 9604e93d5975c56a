#include "engine/train/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/train/run_folder.h"
#include "engine/train/trainer.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

std::optional<Stop> limit_reached(const TrainingOptions& options, const RunProgress& progress) {
  const auto number = [](double value) {
    const std::string text = nlohmann::json(value).dump();
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
  };
  if (options.steps > 0 && progress.step >= options.steps)
    return Stop{StopReason::steps, "all " + std::to_string(options.steps) + " steps are done"};
  if (options.epochs > 0 && progress.epoch >= options.epochs)
    return Stop{StopReason::epochs, "all " + number(options.epochs) + " passes over the data are done"};
  if (options.minutes > 0 && progress.seconds >= progress.time_limit)
    return Stop{StopReason::minutes, "the " + number(options.minutes) + " minutes are over"};
  if (options.patience > 0 && progress.without_improvement >= options.patience)
    return Stop{StopReason::patience,
                "the last " + std::to_string(progress.without_improvement) +
                    (progress.held_out ? " validations" : " looks at the training loss") +
                    " brought no better loss than that of step " + std::to_string(progress.best_step)};
  return std::nullopt;
}

long planned_steps(const TrainingOptions& options, long batches_per_epoch) {
  const long by_epochs = std::lround(std::ceil(options.epochs * static_cast<double>(batches_per_epoch)));
  if (by_epochs == 0 || options.steps == 0) return std::max(by_epochs, options.steps);
  return std::min(by_epochs, options.steps);
}

long best_step(const Curves& curves) {
  long step = 0;
  for (const ValidationPoint& point : curves.validations)
    if (point.best) step = point.step;
  return step;
}

double recent_loss(const Curves& curves, long steps) {
  const std::size_t all = curves.steps.size(), count = std::min(all, static_cast<std::size_t>(steps));
  double sum = 0;
  for (std::size_t i = all - count; i < all; ++i) sum += static_cast<double>(curves.steps[i].loss);
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

// How far a run is to go: its limits, when they are reached, and going on past them.
std::optional<Stop> Trainer::stop() const {
  const TrainerState& s = *state_;
  if (s.divergence) return s.divergence;
  return limit_reached(s.options, {.step = s.step,
                                   .epoch = epoch(),
                                   .seconds = s.seconds,
                                   .time_limit = time_limit(),
                                   .without_improvement = s.without_improvement,
                                   .best_step = best_step(s.curves),
                                   .held_out = !s.data->validation.empty()});
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

std::unique_ptr<Trainer> Trainer::train_on(const std::string& folder, std::shared_ptr<const TrainingSet> data,
                                           int threads) {
  std::unique_ptr<Trainer> trainer(new Trainer(read_run_without_state(folder, std::move(data), threads)));
  trainer->extend_plan();
  // Fresh moments know nothing of the gradients yet: at the full rate the first steps would undo what it
  // knows.
  TrainerState& s = *trainer->state_;
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

long Trainer::planned_steps() const {
  return glassformer::planned_steps(state_->options, state_->batches_per_epoch);
}

}  // namespace glassformer
