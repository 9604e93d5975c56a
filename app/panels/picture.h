// One view's picture on the stage.
#pragma once

#include "app/ui/ui.h"
#include "app/views/common/view.h"

namespace glassformer {

struct PictureOptions {
  const char* scroll = "stage";  // its name, where it scrolls
  bool controls = true;          // it can be steered
};

// The view has margins of its own; it scrolls where it needs more than there is. What it throws stands in its
// place.
void draw_picture(ui::Ui& ui, View& view, const ViewInput& input, const Rect& area,
                  PictureOptions options = {});

}  // namespace glassformer
