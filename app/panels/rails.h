// Folded panels are rails with their names, where a press unfolds them; open ones have a chevron that folds.
#pragma once

#include "app/panels/panel_input.h"

namespace glassformer {

// Presses change `panels`, or `opened` where the panel lies over the stage. True when one was changed.
bool draw_rails(ui::Ui& ui, const PanelInput& in, OpenPanels& panels);

}  // namespace glassformer
