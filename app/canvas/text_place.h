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

// A sign that no installed font has: a box with its code, its pen and baseline in effective pixels.
inline void draw_missing_sign(Canvas& canvas, FontFaces& faces, Point pen, char32_t sign,
                              const TextStyle& style) {
  const float width = faces.advance(style.font, sign) * style.size;
  if (width <= 0) return;
  const float tall = faces.capital_height(style.font) * style.size, edge = 0.25f * style.size;
  const float gap = 0.06f * style.size;
  canvas.rectangle({pen.x + gap, pen.y - tall - edge, width - 2 * gap, tall + 2 * edge},
                   {.outline = style.color, .outline_width = 1, .radius = 2});
  TextStyle small = style;
  small.size *= MissingSign::kSize;
  small.x = AlignX::center;
  small.y = AlignY::middle;
  canvas.text({pen.x + width / 2, pen.y - tall / 2}, MissingSign::code(sign), small);
}

}  // namespace glassformer
