// What was changed in the Scene, over the stage: each change in words, and the way back.
#pragma once

#include "app/panels/panel_input.h"

namespace glassformer {

void draw_what_if_strip(ui::Ui& ui, const PanelInput& in, const Rect& rect);

}  // namespace glassformer
