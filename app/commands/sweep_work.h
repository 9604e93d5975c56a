// The work of `sweep` and `study`: trains every run that is not trained yet, several at once, and scores each
// on one test set. A folder remembers what is done: the same work goes on where it was stopped.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/decode_arguments.h"
#include "app/commands/sweep_results.h"
#include "engine/train/study_measures.h"

namespace glassformer {

struct SweepPlan {
  std::string out;
  CommonOptions common;  // its threads
  DecodeArguments decode;
  int at_once = 1;
  bool json = false;
  std::vector<StudyMeasure> measures = {};  // into SweepScore::figures, beside "steps" and "seconds"
  // What is written of the results: names in the folder, and their texts.
  std::vector<std::pair<std::string, std::function<std::string(const SweepResults&)>>> files = {};
};
// --at-once and --threads.
void add_run_options(CLI::App& command, SweepPlan& plan);

// Nothing: it was stopped by request, and said so. Throws Error, before the first run, when `train` does not
// take a setting or the folder is somebody else's.
std::optional<SweepResults> carry_out(const Sweep& sweep, const SweepPlan& plan);
int exit_code(const SweepResults& results);  // 1: a run failed

}  // namespace glassformer
