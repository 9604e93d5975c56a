// "Change something else": what else of a Scene can be changed, each leading to where it is made.
#pragma once

#include "app/ui/ui.h"
#include "app/views/what_if/what_if_layout.h"

namespace glassformer {

// May switch which parts are muted.
void draw_changes_bar(ui::Ui& ui, const WhatIfLayout& at, const WhatIfScene& scene, WhatIfChoice& choice);

}  // namespace glassformer
