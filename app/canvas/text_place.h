// Where a line of text begins: shared by the canvases, so that they agree to the pixel.
#pragma once

#include <cmath>
#include <string_view>

#include "app/canvas/canvas.h"
#include "app/fonts/font_faces.h"

namespace glassformer {

// The left end of the baseline, in effective pixels.
inline Point text_start(FontFaces& faces, Point at, std::string_view text, const TextStyle& style) {
  Point start = at;
  if (style.x != AlignX::left) {
    const float width = faces.width(text, style.font, style.size);
    start.x -= style.x == AlignX::center ? width / 2 : width;
  }
  if (style.y == AlignY::baseline) return start;
  start.y += baseline_shift(faces, style.font, style.size);
  if (style.y == AlignY::top) start.y += style.size * kLineHeight / 2;
  if (style.y == AlignY::bottom) start.y -= style.size * kLineHeight / 2;
  return start;
}

}  // namespace glassformer
