// How far training is, and the way back: every view shows the step at which the thumb is. The validation
// loss is its backdrop. It is of the model on the stage: the open Transformer, or the recurrent one beside.
#pragma once

#include <optional>

#include "app/panels/panel_input.h"

namespace glassformer {

struct StepTrack;
struct SteppedRun;

// The stage shows the recurrent model beside: its run is what the slider goes over.
bool slides_recurrent(const PanelInput& in);

class TrainingSlider {
 public:
  void draw(ui::Ui& ui, const PanelInput& in);
  // The kept step before or behind the one shown.
  void show_next_kept(ui::Ui& ui, const PanelInput& in, int by);
  void stop() { replay_from_.reset(); }

 private:
  ui::Response slide(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, const StepTrack& track);
  float buttons(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, Point right_end);
  void play_button(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, const Rect& rect);
  void side(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, const Rect& rect);

  bool recurrent_ = false;             // what it went over last
  std::optional<double> replay_from_;  // the training is played since then, s
};

}  // namespace glassformer
