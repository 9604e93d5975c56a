#include "app/panels/step_timing.h"

#include <utility>

#include "app/session/priority.h"
#include "engine/math/ready.h"
#include "engine/train/step_time.h"

namespace glassformer {

StepTiming::~StepTiming() {
  if (stop_) *stop_ = true;
}

void StepTiming::measure_again() {
  asked_.reset();
  seconds_.reset();
  if (stop_) *stop_ = true;
}

std::optional<double> StepTiming::of(const Config& config, const TrainingOptions& options) {
  Asked now{config, options.batch_tokens, options.extra_padding, options.threads};
  if (asked_ != now) {
    asked_ = std::move(now);
    seconds_.reset();
    if (stop_) *stop_ = true;
  }
  if (work_.valid()) {
    if (!is_ready(work_)) return std::nullopt;
    const bool stopped = *stop_;
    try {
      const double seconds = work_.get();
      if (!stopped) seconds_ = seconds;
    } catch (const std::exception&) {
      if (!stopped) seconds_ = 0;  // it cannot be made: the form says why
    }
  }
  if (!seconds_) {
    stop_ = std::make_shared<std::atomic<bool>>(false);
    work_ = std::async(std::launch::async, [config, options, stop = stop_] {
      give_way(Patience::training);  // as a run does
      return measured_step_seconds(config, options, [&] { return !*stop; });
    });
  }
  return seconds_;
}

}  // namespace glassformer
