// The one place where a ViewInput is filled: what is looked at, and who points where.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/reading/view_input.h"

namespace glassformer {

// What a view is to show. The result has a snapshot.
struct ViewSubject {
  const SceneResult& result;
  const Tokenizers& tokenizers;
  const RunState& run;
  std::optional<long> looked_back = {};
  int shown_steps = -1;
  std::string source_language = {}, target_language = {};
  RunsBeside beside = {};
  std::shared_ptr<const TrainingText> training_text = {};
  TextState training_text_state = TextState::unknown;
  RecurrentLook recurrent = {};
  std::shared_ptr<const RecurrentReading> recurrent_reading = {};
  std::shared_ptr<const RecurrentRunState> recurrent_run = {};
};

// How it is looked at.
struct ViewLook {
  const Selection& pinned;
  const Selection& shown;
  bool hovering = false;
  bool reduced_motion = false;
  bool dark_theme = false;
};

inline ViewInput view_input(ViewSubject subject, const ViewLook& look) {
  return {.result = subject.result,
          .snapshot = *subject.result.snapshot,
          .tokenizers = subject.tokenizers,
          .run = subject.run,
          .pinned = look.pinned,
          .shown = look.shown,
          .hovering = look.hovering,
          .looked_back = subject.looked_back,
          .shown_steps = subject.shown_steps,
          .source_language = std::move(subject.source_language),
          .target_language = std::move(subject.target_language),
          .training_text = std::move(subject.training_text),
          .training_text_state = subject.training_text_state,
          .recurrent = std::move(subject.recurrent),
          .recurrent_reading = std::move(subject.recurrent_reading),
          .recurrent_run = std::move(subject.recurrent_run),
          .beside = std::move(subject.beside),
          .reduced_motion = look.reduced_motion,
          .dark_theme = look.dark_theme};
}

}  // namespace glassformer
