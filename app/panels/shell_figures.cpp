// Figures of the stage on their way to files.
#include <utility>

#include "app/panels/shell.h"

namespace glassformer {

void Shell::take_written_figures() {
  for (Notice& done : figures_.take_written()) {
    if (done.error) {
      session_.notify(std::move(done));
    } else {
      session_.dismiss(Place::figure);
      say(std::move(done.text));
    }
  }
  said_.saving = writing();
}

void Shell::save_figure_to(const SaveFigure& what) {
  if (!view() || !result_) return;
  FigureContent content{.view = view()->clone(),
                        .result = result_,
                        .tokenizers = session_.tokenizers(),
                        .run = session_.run(),
                        .selection = session_.pinned(),
                        .looked_back = session_.looked_back(),
                        .shown_steps = session_.shown_steps(),
                        .model_name = session_.title().name,
                        .source_language = session_.title().source_language,
                        .target_language = session_.title().target_language,
                        .theme = theme_};
  for (const RunBeside* each : session_.beside()) content.beside.push_back(*each);
  content.training_text = session_.training_text();
  content.recurrent = session_.recurrent();
  content.recurrent_run = session_.recurrent_run();
  content.recurrent_reading = session_.recurrent_reading();
  content.panel = what.panel;
  if (const Compared* compared = session_.compared(); compared && compared->second) {
    content.panel.clear();
    const View* second = comparing_.second_view(view_, view());
    content.second = {.as = comparing_.shown_as(),
                      .view = second ? second->clone() : view()->clone(),
                      .compared = *compared};
  }
  figures_.start(std::move(content), what, {layout_.stage.width, layout_.stage.height}, options_.wake);
}

}  // namespace glassformer
