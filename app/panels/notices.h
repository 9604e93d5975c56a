// What went wrong, or is good to know, in the panel that it concerns.
#pragma once

#include "app/panels/panel_input.h"

namespace glassformer {

// What happened, what is kept, one way out, from the rectangle's top. Returns the height used; 0: the place
// has no notice.
float draw_notice(ui::Ui& ui, const PanelInput& in, Place place, const Rect& rect);

}  // namespace glassformer
