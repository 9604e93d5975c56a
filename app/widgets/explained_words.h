// Words that are not plain English, each explained once for every picture that says it.
#pragma once

#include <string_view>

#include "app/canvas/canvas.h"

namespace glassformer {

// What it means, in one or two lines; empty: it is no such word.
std::string_view explained(std::string_view word);
// The rectangle, in which the word is drawn, says under the mouse what it means; nothing for other words.
void explain(Canvas& canvas, const Rect& rect, std::string_view word);
// Text that begins or is drawn where Canvas::text puts it, and explains itself.
void draw_explained(Canvas& canvas, Point at, std::string_view word, const TextStyle& style);

}  // namespace glassformer
