// A recurrent model that learns in a second, for the tests of its desk.
#pragma once

#include "app/session/session.h"
#include "tests/session/session_helpers.h"

namespace glassformer {

inline NewRecurrentRun small_run(long steps) {
  NewRecurrentRun run;
  run.config.width = 12;
  run.data.training.task = "reverse";
  run.data.training.pairs = 400;
  run.data.training.toy = {.length = 5, .symbols = 6};
  run.training.batch_tokens = 300;
  run.training.schedule = "constant";
  run.training.peak = 0.01;
  run.training.steps = steps;
  run.training.validate_every = 20;
  return run;
}

inline bool over(Session& session) {
  return frames_until(session, [&] {
    const auto state = session.recurrent_run();
    return state && !state->preparing && !state->running;
  });
}

}  // namespace glassformer
