// What the screen shows, handed to whoever draws or explains it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/scene/compared.h"
#include "app/scene/recurrent_run.h"
#include "app/scene/recurrent_scene.h"
#include "app/scene/run_state.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/scene/shown.h"
#include "app/scene/training_text.h"

namespace glassformer {

// A row of one head's attention that a lesson asks for, and that no picture shows before it is answered.
struct CoveredRow {
  AttentionKind kind = AttentionKind::cross;
  int layer = 0, head = 0, query = 0;
};

// All that a view may look at. Valid for one frame.
struct ViewInput {
  const SceneResult& result;  // trace, tokens, decoding; always the last complete one
  const Snapshot& snapshot;   // the weights that made it
  const Tokenizers& tokenizers;
  const RunState& run;  // curves, options and samples of the current training run
  const Selection& pinned;
  const Selection& shown;                // pinned, or what is hovered right now
  bool hovering = false;                 // shown differs from pinned because of the mouse
  std::optional<long> looked_back = {};  // the training step that is looked back at; nothing: the newest
  int shown_steps = -1;         // how many output tokens are shown when the decoding is stepped; -1: all
  std::string source_language;  // "English"; "source" when unknown
  std::string target_language;  // "French"; "target" when unknown
  std::shared_ptr<const TrainingText> training_text = {};  // null: see the state
  TextState training_text_state = TextState::unknown;
  RecurrentLook recurrent = {};  // a second kind of model; no scene: there is none
  std::shared_ptr<const RecurrentReading> recurrent_reading = {};
  std::shared_ptr<const RecurrentRunState> recurrent_run = {};  // null: none
  RunsBeside beside = {};                                       // the variants that train beside the run
  const SceneResult* other = nullptr;  // is beside this one: the colours of both end alike; null: none
  const SceneResult* difference_to = nullptr;  // show that one's numbers less these; null: these
  bool second_of_two = false;                  // of a comparison: it is looked at, commands act on the first
  std::optional<CoveredRow> covered = {};
  std::shared_ptr<const void> owner = {};  // of pinned and shown, where nobody else has them
  bool reduced_motion = false;
  bool dark_theme = false;  // for the inspector, whose swatches are drawn elsewhere

  // Of the training, that is shown; a run that diverged shows its last good weights.
  long step() const { return looked_back.value_or(run.diverged ? snapshot.step : run.step); }
};

// How it is looked at.
struct ViewLook {
  const Selection& pinned;
  const Selection& shown;
  bool hovering = false;
  bool reduced_motion = false;
  bool dark_theme = false;
};

// `result`: of those shown the one that is looked at; it has a snapshot. Refers to all three.
ViewInput view_input(const Shown& shown, const SceneResult& result, const ViewLook& look);

}  // namespace glassformer
