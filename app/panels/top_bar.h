// The menus, what is open, how far it has learned, and the buttons that train it.
#pragma once

#include <string>

#include "app/panels/panel_input.h"

namespace glassformer {

inline constexpr double kScales[] = {1, 1.25, 1.5, 2, 2.5};  // of the text, to choose from

class TopBar {
 public:
  // What was chosen in a menu that concerns the screen alone, by its label: "Dark theme"; empty: nothing.
  std::string draw(ui::Ui& ui, const PanelInput& in);

 private:
  void watched_title(ui::Ui& ui, const PanelInput& in, const WatchState& watched, float x, float right);
  float whole_button(ui::Ui& ui, const Rect& bar, bool narrow);
  float way_back(ui::Ui& ui, const PanelInput& in, float x);
  float train_buttons(ui::Ui& ui, const PanelInput& in, const Rect& bar, bool narrow);
  float menus(ui::Ui& ui, const PanelInput& in, float x);  // menus.cpp: the right end
  void named_session(ui::Ui& ui, const PanelInput& in, float x, float right);
  void one_menu(ui::Ui& ui, const PanelInput& in, float x);

  double paused_at_ = 0, trained_at_ = -1;  // s, when nothing was about to pause, when a run was seen at it
  std::string chosen_;
};

// Where in the model the stage is; every part leads up to it. At its right end: saving a figure.

void draw_breadcrumb(ui::Ui& ui, const PanelInput& in, const Rect& rect);

}  // namespace glassformer
