#include "engine/train/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

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

}  // namespace glassformer
