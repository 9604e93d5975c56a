// How far training is, and the way back: every view shows the step at which the thumb is. The validation
// loss is its backdrop.
#pragma once

#include <optional>

#include "app/panels/panel_input.h"

namespace glassformer {

struct StepTrack;

class TrainingSlider {
 public:
  void draw(ui::Ui& ui, const PanelInput& in);
  // The kept step before or behind the one shown.
  void show_next_kept(ui::Ui& ui, const PanelInput& in, int by);
  void stop() { replay_from_.reset(); }

 private:
  ui::Response slide(ui::Ui& ui, const PanelInput& in, const StepTrack& track, long newest);
  float buttons(ui::Ui& ui, const PanelInput& in, Point right_end);
  void play_button(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  void side(ui::Ui& ui, const PanelInput& in, const Rect& rect);

  std::optional<double> replay_from_;  // the training is played since then, s
};

}  // namespace glassformer
