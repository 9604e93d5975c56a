// A run on letters, and variants of it.
#pragma once

#include <algorithm>
#include <filesystem>
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "app/session/settings.h"
#include "app/views/training/training.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"
#include "tests/ui/view_stage.h"

namespace glassformer::variant_runs {

inline NewRun run_of(long steps) {
  NewRun run = reverse_run();
  run.training.steps = steps;
  return run;
}

inline Variation variation_about(const NewRun& run, const std::string& about) {
  for (const Variation& one : variations(run.config, run.training))
    if (one.about == about) return one;
  FAIL("no variation about ", about);
  return {};
}

inline bool both_end(Session& session) {
  return frames_until(session, [&] {
    return session.run().phase == RunPhase::stopped && !session.beside().empty() &&
           session.beside().back()->run.phase == RunPhase::stopped;
  });
}

}  // namespace glassformer::variant_runs
