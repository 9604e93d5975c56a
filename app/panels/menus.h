// What the menus of the top bar hold, which the find field finds as well.
#pragma once

#include <vector>

#include "app/panels/panel_input.h"
#include "app/ui/ui.h"

namespace glassformer {

std::vector<ui::MenuItem> file_menu(const PanelInput& in);
std::vector<ui::MenuItem> model_menu(Session& session);
// Of the View menu all but the views.
std::vector<ui::MenuItem> window_menu(const PanelInput& in);
std::vector<ui::MenuItem> lessons_menu(const PanelInput& in);
std::vector<ui::MenuItem> help_menu();

}  // namespace glassformer
