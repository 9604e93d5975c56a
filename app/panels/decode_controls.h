// Right in the bottom bar: how the output is searched for, and stepping through it word by word.
#pragma once

#include <optional>

#include "app/panels/panel_input.h"

namespace glassformer {

// Shows so many more words of the output, or fewer.
void step_decoding(ui::Ui& ui, const PanelInput& in, int by);
// Where one row must do: the button that opens the options, at the bar's right end.
Rect decode_button(const Rect& bar);

class DecodeControls {
 public:
  // Also the options, in their own layer, where they are open.
  void draw(ui::Ui& ui, const PanelInput& in);

  void play(ui::Ui& ui, const PanelInput& in);  // or stops
  void stop() { playing_ = false; }
  void continue_playing(ui::Ui& ui, const PanelInput& in);

 private:
  void controls(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool low);
  void transport(ui::Ui& ui, const PanelInput& in, Point at, float gap);
  void search_choice(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  void options(ui::Ui& ui, const PanelInput& in);

  std::optional<DecodeOptions> edit_;
  bool changed_ = false;  // and not yet sent: the drag is under way
  bool playing_ = false;
  double next_step_at_ = 0;  // s
};

}  // namespace glassformer
