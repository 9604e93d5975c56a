// How `glassformer train` ends, whatever kind of model has learned: the line or the JSON of a run.
#pragma once

#include <optional>
#include <string>

#include "app/commands/train_arguments.h"
#include "engine/train/trainer.h"

namespace glassformer {

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
