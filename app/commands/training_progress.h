// How a run is going, on standard error: a bar that moves on a terminal, a line for each validation
// elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "engine/train/trainer.h"

namespace glassformer {

// "validation loss 0.412, 98.1 % of tokens, 96.5 % of sentences right"
std::string validation_text(const ValidationPoint& point);

class TrainingProgress {
 public:
  explicit TrainingProgress(const Trainer& trainer);
  void step(const StepReport& report);
  void validated(const ValidationPoint& point);
  void end();  // leaves the last line standing

 private:
  void draw(const StepReport& report);

  const Trainer& trainer_;
  const bool terminal_;
  double tokens_per_s_ = 0;  // smoothed
  std::chrono::steady_clock::time_point drawn_;
  bool line_open_ = false;
};

}  // namespace glassformer
