// All that can be looked at, in one owning value: the window, a figure, a report and a lesson's page show
// the same.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/compared.h"
#include "app/scene/recurrent_run.h"
#include "app/scene/recurrent_scene.h"
#include "app/scene/run_state.h"
#include "app/scene/scene.h"
#include "app/scene/training_text.h"

namespace glassformer {

struct Shown {
  std::shared_ptr<const SceneResult>
      result;  // trace, tokens, decoding; the last complete one; null: none yet
  Tokenizers tokenizers;
  RunState run;                          // curves, options and samples of the current training run
  std::optional<long> looked_back = {};  // the training step that is looked back at; nothing: the newest
  int shown_steps = -1;  // how many output tokens are shown when the decoding is stepped; -1: all
  std::string model_name;
  std::string source_language, target_language;            // "English"; "source" and "target" when unknown
  std::vector<RunBeside> beside = {};                      // the variants that train beside the run
  std::shared_ptr<const TrainingText> training_text = {};  // null: see the state
  TextState training_text_state = TextState::unknown;
  RecurrentLook recurrent = {};  // a second kind of model; no scene: there is none
  std::shared_ptr<const RecurrentReading> recurrent_reading = {};
  std::shared_ptr<const RecurrentRunState> recurrent_run = {};  // null: none
};

}  // namespace glassformer
