// Where in the model the stage stands; every part leads up to it. At its right end: saving a figure.
#pragma once

#include "app/panels/panel_input.h"

namespace glassformer {

void draw_breadcrumb(ui::Ui& ui, const PanelInput& in, const Rect& rect);

}  // namespace glassformer
