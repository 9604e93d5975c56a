// A fresh model that learns while one looks on, from noise, by the recipe of the open model, or as "quick"
// where that is the paper's (presets.h). The open model stays open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/scene/run_state.h"
#include "app/scene/scene.h"

namespace glassformer {

struct WatchedAttempt {
  long step = 0;
  std::string written;  // on its own
};

struct WatchState {
  SceneSentence sentence;  // with the right words, which stay fixed
  bool by_model = false;   // nobody has said what is right: they are what the trained model writes
  bool quick = false;      // it has the recipe "quick", not that of the open model
  RunState run;
  bool learns = false;  // else it is paused, being prepared, or over
  double seconds = 0;   // that it has learned for
  // The newest weights on the sentence: given the right words, and what they write on their own. Null: none
  // yet.
  std::shared_ptr<const SceneResult> result;
  std::vector<WatchedAttempt> attempts;  // the first, then each from twice the step of the one before
};

}  // namespace glassformer
