// The middle of the window: breadcrumb, what was changed, notices, and the picture of the open view.
#pragma once

#include "app/panels/panel_input.h"

namespace glassformer {

void draw_stage(ui::Ui& ui, const PanelInput& in, const Rect& rect);
// What is changed, what is to be said, that it computes; returns what is left below.
Rect draw_stage_state(ui::Ui& ui, const PanelInput& in, const Rect& rect);

}  // namespace glassformer
