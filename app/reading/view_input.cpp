#include "app/reading/view_input.h"

namespace glassformer {

ViewInput view_input(const Shown& shown, const SceneResult& result, const ViewLook& look) {
  ViewInput input{.result = result,
                  .snapshot = *result.snapshot,
                  .tokenizers = shown.tokenizers,
                  .run = shown.run,
                  .pinned = look.pinned,
                  .shown = look.shown,
                  .hovering = look.hovering,
                  .looked_back = shown.looked_back,
                  .shown_steps = shown.shown_steps,
                  .source_language = shown.source_language,
                  .target_language = shown.target_language,
                  .training_text = shown.training_text,
                  .training_text_state = shown.training_text_state,
                  .recurrent = shown.recurrent,
                  .recurrent_reading = shown.recurrent_reading,
                  .recurrent_run = shown.recurrent_run,
                  .reduced_motion = look.reduced_motion,
                  .dark_theme = look.dark_theme};
  for (const RunBeside& each : shown.beside) input.beside.push_back(&each);
  return input;
}

}  // namespace glassformer
