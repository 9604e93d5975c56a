// What was changed in the Scene, over the stage: each change in words, and the way back.
#pragma once

#include <string_view>

#include "app/panels/panel_input.h"
#include "engine/model/names.h"

namespace glassformer {

void draw_what_if_strip(ui::Ui& ui, const PanelInput& in, const Rect& rect);

// The menu of what can be tried out at a place: by right click or the menu key on a picture, a block of the
// map or a chip; with what is selected, or the block that is open, when
// nothing else has the keyboard.

inline constexpr std::string_view kChangeMenu = "What if";

void open_block_menu(ui::Ui& ui, const PanelInput& in, const ValueName& block, const Rect& at);
// Where the menu of a part of a picture was asked for in this frame, or that of the pinned number.
void open_change_menu(ui::Ui& ui, const PanelInput& in);

}  // namespace glassformer
