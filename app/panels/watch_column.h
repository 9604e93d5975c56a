// Beside the rows of a model that is watched: its loss, and what it makes of sentences that it never saw.
#pragma once

#include "app/panels/watch_page.h"
#include "app/ui/ui.h"

namespace glassformer {

// Words in a line: wrong ones underlined, a missing one an empty dashed box. Returns where it ends.
float draw_attempt(Canvas& canvas, Point at, const Attempt& attempt, float size, float right);

void draw_watch_column(ui::Ui& ui, const WatchState& state, const Rect& area, bool small);

}  // namespace glassformer
