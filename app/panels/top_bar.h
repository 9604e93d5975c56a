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
  float train_buttons(ui::Ui& ui, const PanelInput& in, const Rect& bar, bool narrow);
  float menus(ui::Ui& ui, const PanelInput& in, float x);  // menus.cpp: the right end
  void named_session(ui::Ui& ui, const PanelInput& in, float x, float right);
  void one_menu(ui::Ui& ui, const PanelInput& in, float x);

  double trained_at_ = -1;  // s, when a run was last seen at it
  std::string chosen_;
};

}  // namespace glassformer
