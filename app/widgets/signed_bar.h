// A bar that tells the sign.
#pragma once

#include "app/canvas/canvas.h"

namespace glassformer {

// From the middle to the right for a share above 0, to the left below; -1 and 1 reach the ends.
void draw_signed_bar(Canvas& canvas, const Rect& rect, double share);

}  // namespace glassformer
