// How a run is going, on standard error: a bar that moves on a terminal, a line for each validation
// elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "engine/train/trainer.h"

namespace glassformer {

// "validation loss 0.412, 98.1 % of tokens, 96.5 % of sentences right"
std::string validation_text(const ValidationPoint& point);

// Where the end of a run is in sight; 0: not known.
struct RunLimits {
  long steps = 0;
  double seconds = 0;
};

class TrainingProgress {
 public:
  // `seconds`: how long the run has learned until now.
  TrainingProgress(const TrainingSet& data, RunLimits limits, std::function<double()> seconds);
  void step(const StepReport& report);
  void validated(const ValidationPoint& point);
  void end();  // leaves the last line standing

 private:
  void draw(const StepReport& report);

  const RunLimits limits_;
  const std::function<double()> seconds_;
  const bool terminal_;
  double tokens_per_s_ = 0;  // smoothed
  std::chrono::steady_clock::time_point drawn_;
  bool line_open_ = false;
};

}  // namespace glassformer
