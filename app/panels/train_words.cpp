#include "app/panels/train_words.h"

#include <unistd.h>
#include <cmath>

#include "app/format/number_format.h"
#include "app/session/run_record.h"
#include "engine/math/error.h"

namespace glassformer {

// A run that is opened at its best step resumes from its newest.
long resume_step(const Session& session) {
  const bool opened = session.model() && session.run().phase == RunPhase::none;
  return opened ? session.model()->last_step : session.run().step;
}

TrainWords train_words(const Session& session) {
  const std::string step = "step " + format_count(resume_step(session));
  switch (session.train_would()) {
    case TrainWould::nothing: {
      const std::string why =
          session.snapshot()
              ? "nobody knows what it was trained on; train --fine-tune tunes it on other pairs"
              : "no model is open";
      return {why, "Not possible: " + why, ""};
    }
    case TrainWould::pause:
      return {"stop after this step; everything is kept", "Stop after this step; everything is kept (T)",
              "Training now."};
    case TrainWould::wait:
      return {"the data are being prepared", "The data are being prepared", "Preparing the data."};
    case TrainWould::begin:
    case TrainWould::fresh:  // never trained
      return {"this model takes its first steps", "Take the first steps (T)", "Not trained yet: T begins."};
    case TrainWould::resume:
      if (session.would_fine_tune())
        return {"this model goes on from " + step + ", slowly, in a new run",
                "Go on from " + step + ", slowly: a tenth of the peak rate, in a new run (T)",
                "T trains it on, slowly."};
      return {"this model goes on from " + step, "Go on from " + step + " (T)",
              session.run().phase == RunPhase::paused ? "Paused: T goes on." : "T trains it on."};
    case TrainWould::slower:
      return {"on from the last good weights, at a lower rate",
              "Go on from the last good weights, at a lower rate (T)", "Diverged: T goes on slower."};
    case TrainWould::extend:
      return {"this model goes on from " + step + ", past the end of its plan",
              "Go on past the end of its plan (T)", "Ended: T trains further."};
    case TrainWould::of_variant:
      return {"the variant goes on; this run is over", "The variant goes on; this run is over (T)",
              "T: the variant goes on."};
  }
  return {};
}

std::string step_of_run_words(const Session& session, long step) {
  const RunState& run = session.run();
  const Snapshot* const snapshot = session.snapshot();
  const bool newest = snapshot && step == snapshot->step && run.phase == RunPhase::none;
  const ValidationPoint* const point = newest && run.curves ? best_validation(*run.curves) : nullptr;
  const bool best = point && point->step == step && step < run.planned_steps;
  return format_count(step) + (best ? ", the best of " + format_count(run.planned_steps) : std::string());
}

std::string one_step_words(const Session& session) {
  const long step = session.snapshot() ? resume_step(session) : 0;
  return "One training step: step " + format_count(step + 1) + " (N)";
}

std::string memory_words(double bytes) {
  return bytes < 1e9 ? format_short(bytes / 1e6) + " MB" : format_count(std::llround(bytes / 1e9)) + " GB";
}

// Bytes; 0 where the system does not say.
static double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

void check_memory(double bytes, const std::string& way_out) {
  const double here = machine_memory();
  if (here > 0 && bytes > here)
    throw Error("model", "This model needs about " + memory_words(bytes) + ", and the machine has " +
                             memory_words(here) + "; choose " + way_out);
}

}  // namespace glassformer
