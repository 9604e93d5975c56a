// Runs that cannot be saved, for tests.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/session/paths.h"
#include "tests/session/session_helpers.h"

namespace glassformer {

// A file is where the runs are to be kept: nothing can be written below it.
class BlockedRuns {
 public:
  BlockedRuns() {
    std::filesystem::create_directories(runs_folder().parent_path());
    std::ofstream(runs_folder()) << "in the way";
  }
  void make_room() { std::filesystem::remove(runs_folder()); }
};

inline NewRun short_run(long steps) {
  NewRun run = reverse_run();
  run.training.steps = steps;
  return run;
}

// On a slow machine the first save comes, and fails, before the end: the run waits then, and is continued
// once for each failure.
inline void train_to_the_end(Session& session, long steps) {
  session.apply({short_run(steps), Train{}});
  int failures = 0;
  REQUIRE(frames_until(session, [&] {
    const std::vector<UnsavedRun> unsaved = session.unsaved();
    if (session.run().phase == RunPhase::paused && !unsaved.empty() && unsaved[0].failed_saves > failures) {
      failures = unsaved[0].failed_saves;
      session.apply({Train{}});
    }
    return session.run().phase == RunPhase::stopped;
  }));
}

// Of the run in that folder, as the next start would find it.
inline long step_on_disk(const std::string& folder) {
  SessionOptions options = nothing_open();
  options.model = folder;
  options.keep_settings = false;
  Session session(options);
  REQUIRE(frames_until(session, [&] { return session.model() != nullptr; }));
  return session.model()->last_step;
}

}  // namespace glassformer
