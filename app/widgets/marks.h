// Small signs drawn as shapes, so that no font has to have them: badges, arrows, ticks, crosses, transport
// icons. All are centred on a point and `size` wide at most.
#pragma once

#include <string_view>

#include "app/canvas/canvas.h"

namespace glassformer {

enum class Badge { none, query, key, value };  // Q, K, V: always with the letter

// A rounded square of `size` with the letter.
void draw_badge(Canvas& canvas, Point center, Badge badge, float size = 18);

enum class Mark {
  play,
  pause,
  stop,
  step_back,
  step_forward,
  to_start,
  to_end,  // transport
  tick,
  cross,
  chevron_right,
  chevron_down,
  chevron_left,
  chevron_up,
  plus,
  minus,
  download,
  pin,
  dot,
  ring,
  undo,
  search
};
void draw_mark(Canvas& canvas, Point center, Mark mark, Color color, float size = 10);

// A line with a small filled head at its end.
void draw_arrow(Canvas& canvas, Point from, Point to, const Stroke& stroke);
// The outlined key of a keyboard with its name, 20 high; returns its width. `at` is the middle of its left
// edge.
float draw_keycap(Canvas& canvas, Point at, std::string_view name);
// Cell states that are no colours.
void draw_hatched(Canvas& canvas, const Rect& rect);       // masked: 45 degrees every 5 px on panel
void draw_not_a_number(Canvas& canvas, const Rect& rect);  // magenta cross

// The bar of a piece that begins a word, left of its first letter at `at`.
void draw_word_start(Canvas& canvas, Point at);

}  // namespace glassformer
