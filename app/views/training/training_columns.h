// What stands left and right of the curves: facts of the run, and the held-out sentences with what was made
// of them. False where there is no room.
#pragma once

#include "app/reading/view_input.h"
#include "app/ui/ui.h"

namespace glassformer {

inline constexpr float kNarrowestColumn = 180;  // a rail or a line under the stage stays what it is

bool facts_column(ui::Ui& ui, const ViewInput& input, const Rect& rect);
bool held_out_column(ui::Ui& ui, const ViewInput& input, const Rect& rect, long step);

}  // namespace glassformer
