// What a watched model has written so far, line below line.
#pragma once

#include "app/panels/watch_page.h"
#include "app/ui/ui.h"

namespace glassformer {

// Words in a line: wrong ones underlined, a missing one an empty dashed box. Returns where it ends.
float draw_attempt(Canvas& canvas, Point at, const Attempt& attempt, float size, float right);

// The sentence and the goal, the attempts of earlier steps, and below them that of now.
void draw_attempts(ui::Ui& ui, const WatchState& state, const WatchScene& scene, const std::string& language,
                   const Rect& area);

}  // namespace glassformer
