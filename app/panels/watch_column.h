// Beside the rows of a model that is watched: its loss, and what it makes of sentences that it never saw.
#pragma once

#include "app/panels/watch_page.h"
#include "app/ui/ui.h"

namespace glassformer {

// The loss above the sentences.
void draw_watch_column(ui::Ui& ui, const WatchState& state, const Rect& area, bool small);
// The same side by side.
void draw_watch_measures(ui::Ui& ui, const WatchState& state, const Rect& area);

}  // namespace glassformer
