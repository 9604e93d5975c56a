// What Train and its key T do as things are, in words.
#pragma once

#include <string>

#include "app/session/session.h"

namespace glassformer {

struct TrainWords {
  std::string menu;  // under “Continue training”: "this model goes on from step 10 000"
  std::string tip;   // of the button
  std::string said;  // beside the training slider, with what the run is at
};

long resume_step(const Session& session);  // from which Train continues
TrainWords train_words(const Session& session);
// "9 500, the best of 10 000": what is open are the best weights of a run that trained further; else the
// step alone.
std::string step_of_run_words(const Session& session, long step);
std::string one_step_words(const Session& session);  // "One training step: step 8 001 (N)"

// In place of the time left, where a run is starved.
inline constexpr const char* kStarvedWords = "the machine has other work";

// Whether a model that is to be made has room on this machine.

std::string memory_words(double bytes);  // "35 MB", "2 GB"

// Throws Error, which says both and the way out, where a model that takes so many bytes while training has no
// room.
void check_memory(double bytes, const std::string& way_out);

}  // namespace glassformer
