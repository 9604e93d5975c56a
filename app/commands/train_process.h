// What `glassformer train` says of a run.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/train_arguments.h"
#include "engine/train/trainer.h"

namespace glassformer {

// How a run is going, on standard error: a bar that moves on a terminal, a line for each validation
// elsewhere.

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
  void end();  // leaves the last line on screen

 private:
  void draw(const StepReport& report);

  const RunLimits limits_;
  const std::function<double()> seconds_;
  const bool terminal_;
  double tokens_per_s_ = 0;  // smoothed
  std::chrono::steady_clock::time_point drawn_;
  bool line_open_ = false;
};

// How `glassformer train` ends, whatever kind of model has learned: the line or the JSON of a run.

struct RunEnd {
  std::string folder;
  long step = 0;
  double epoch = 0, seconds = 0;
  std::optional<Stop> stop;  // nothing: it was stopped by request
  long kept_step = 0;        // of the weights that translate
  std::size_t parameters = 0;
  const Curves& curves;
  Keep keep = Keep::best;
};

// The exit status; throws Error when the run diverged.
int finish(const RunEnd& end, const TrainArguments& arguments);

}  // namespace glassformer
