// The loop in which `glassformer train` learns, whatever kind of model it is.
#pragma once

#include <functional>
#include <iostream>
#include <string>

#include "app/commands/train_process.h"
#include "engine/math/error.h"

namespace glassformer {

inline constexpr double kSecondsBetweenSaves = 20;

// Saves, and says what a folder is left with when that fails.
template <class Run>
void save_run(Run& run, const std::string& folder, const std::function<void()>& also = {}) {
  try {
    run.save(folder);
    if (also) also();
  } catch (const Error&) {
    if (run.saved_step() >= 0)
      std::cerr << "note: " << folder << " holds step " << run.saved_step() << " of " << run.step_count()
                << "; go on from there with --resume " << folder << "\n";
    throw;
  }
  if (run.folder_was_lost())
    std::cerr << "note: " << folder << " was gone; what is kept of the run was written there anew\n";
}

struct LearningHooks {
  std::function<bool()> going;  // false: somebody asks to stop
  std::function<void()> save;
  std::function<void(bool validated)> look;  // behind each step and each validation; null: nobody looks
};

// Until a limit is reached or somebody asks to stop; saved now and then, and in the end.
template <class Run>
void learn(Run& run, const LearningHooks& hooks) {
  TrainingProgress progress(run.data(), {run.planned_steps(), run.time_limit()},
                            [&run] { return run.seconds(); });
  double saved_at = run.seconds();
  while (hooks.going()) {
    if (run.validation_due()) {
      if (const auto point = run.validate(hooks.going)) progress.validated(*point);
      if (hooks.look) hooks.look(true);
      continue;
    }
    if (run.stop()) break;
    progress.step(run.step());
    if (hooks.look) hooks.look(false);
    if (run.seconds() - saved_at >= kSecondsBetweenSaves) {
      hooks.save();
      saved_at = run.seconds();
    }
  }
  progress.end();
  hooks.save();
}

}  // namespace glassformer
