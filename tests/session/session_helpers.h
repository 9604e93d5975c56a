// A session without a screen, for tests: frames until something holds, and a run small enough to wait for.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "app/session/session.h"
#include "engine/train/presets.h"
#include "tests/scratch_folder.h"

namespace glassformer {

// Every test case has its settings and runs in a folder of its own, which is empty when it begins.
struct Home {
  ScratchFolder scratch;
};
const Home& home_of_test();
const Home& renew_home();  // an empty one again, for what a case does several times

// As if other programs had every processor; else a run has one to itself.
extern std::atomic<bool> others_compute;

// Runs frames until something holds, at most a minute.
inline bool frames_until(Session& session, const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    session.begin_frame();
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

// A tiny model that learns to write letters backwards.
inline NewRun reverse_run() {
  NewRun run;
  run.config = with_preset(Config{}, preset("nano"));
  run.config.max_length = 16;
  run.data.training.task = "reverse";
  run.data.training.pairs = 600;
  run.data.training.toy = {.length = 6, .symbols = 8};
  run.training = suggested_options("reverse", run.config, preset("nano"));
  run.training.steps = 100000;
  run.training.threads = 1;
  return run;
}

// Nothing is open at the start.
inline SessionOptions nothing_open() {
  SessionOptions options;
  options.model = "/nowhere/at/all";
  options.threads = 1;
  return options;
}

// A fresh run of which not a step is taken yet.
inline void make_ready(Session& session, const NewRun& run) {
  session.apply({run});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
}

// A fresh run goes so far at least, and continues.
inline void train_for(Session& session, long steps) {
  session.apply({reverse_run(), Train{}});
  REQUIRE(frames_until(session, [&] { return session.training() && session.run().step >= steps; }));
}

// The same, and it is paused; what is shown is its newest step.
inline void train_and_pause(Session& session, long steps) {
  train_for(session, steps);
  session.apply({PauseTraining{}});
  REQUIRE(frames_until(session, [&] {
    return session.run().phase == RunPhase::paused && session.result() &&
           session.result()->snapshot->step == session.run().step;
  }));
}

// The message at that place; null for none.
inline const Notice* notice(const Session& session, Place place) {
  for (const Notice& notice : session.notices()) {
    if (notice.place == place) return &notice;
  }
  return nullptr;
}

}  // namespace glassformer
