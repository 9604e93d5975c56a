#include "app/panels/train_words.h"

#include "app/format/number_format.h"
#include "app/session/run_record.h"

namespace glassformer {

TrainWords train_words(const Session& session) {
  switch (session.train_would()) {
    case TrainWould::nothing:
      return {"Train", "Nobody knows what this model was trained on: choose data for a new one", ""};
    case TrainWould::pause:
      return {"Pause training", "Stop after this step; everything is kept (T)", "Training now."};
    case TrainWould::wait:
      return {"Train", "The data are being prepared", "Preparing the data."};
    case TrainWould::begin:
      return {"Train", "Take the first steps (T)", "Not trained yet: T begins."};
    case TrainWould::go_on:
      return {"Train on", "Go on where it stopped (T)",
              session.run().phase == RunPhase::paused ? "Paused: T goes on." : "T trains it on."};
    case TrainWould::slower:
      return {"Train on, slower", "Go on from the last good weights, at a lower rate (T)",
              "Diverged: T goes on slower."};
    case TrainWould::further:
      return {"Train further", "Go on past the end of its plan (T)", "Ended: T trains further."};
    case TrainWould::of_variant:
      return {"Train the variant on", "The variant goes on; this run is over (T)", "T: the variant goes on."};
    case TrainWould::fresh:
      return {"Train a fresh model", "A fresh model learns by this one’s recipe, from step 0 (T)",
              "T trains a fresh one."};
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
  const bool fresh = session.train_would() == TrainWould::fresh && !session.learns_on();
  // A run that is opened at its best step goes on from its newest.
  const bool opened = session.model() && session.model()->resumable && session.run().phase == RunPhase::none;
  const long step = fresh || !session.snapshot() ? 0
                    : opened                     ? session.model()->last_step
                                                 : session.snapshot()->step;
  return "One training step: step " + format_count(step + 1) + " (N)";
}

}  // namespace glassformer
