// Where a tooltip lies: beside the mouse, over neither what it explains nor what is asked.
#pragma once

#include <span>

#include "app/theme/geometry.h"

namespace glassformer::ui {

// Effective pixels. The first place that is free of `explained` and of all of `kept_free`, inside the window:
// right of and below the mouse, below what is explained, above it, right, left; where there is none, the
// first that is free of `kept_free`, else beside the mouse.
Rect tooltip_place(Point mouse, Point size, const Rect& explained, std::span<const Rect> kept_free,
                   Point window);

}  // namespace glassformer::ui
