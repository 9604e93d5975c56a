// Where the parts of the What if view stand.
#pragma once

#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/what_if/what_if_scene.h"

namespace glassformer {

// Tiles of one group.
struct GroupPlace {
  Rect tiles;
  float titles = 0, columns = 0;  // y of the middle of the two lines above
  Point pitch, size;              // of a tile; the gap is what is left
  Rect tile(int layer, int column) const;
};

struct WhatIfLayout {
  bool subtitle = true, cards = true;  // the changes as cards of two lines, or as one row of buttons
  bool bare_switches = false;          // they take the place of their heading
  Rect inner;
  // Word by word.
  float label = 84, column = 0;  // width left of the columns, and of each
  std::size_t shown = 0;         // of the columns
  int rows = 4;                  // of the bars
  float bar_height = 16;         // from kTallBar on the number stands over its bar
  float letters = 14;            // of the chips
  float indices = 0, before = 0, after = 0, bars[4] = {}, caption = 0;
  Rect chip(std::size_t column, bool changed) const;
  Rect bar(std::size_t column, int row) const;  // with its number
  // How much each part matters.
  Rect heading;
  std::vector<GroupPlace> groups;
  bool numbers = true;  // they fit in a tile
  float scale = 0;      // y of the colour bar and the notes beside it
  Rect tile(const WhatIfScene& scene, std::size_t part) const;
  // Change something else: never exported.
  float changes_heading = 0;
  Rect changes, field;  // below the field is a line of 16 px
  float bottom = 0;
};

WhatIfLayout layout_what_if(const Rect& area, const WhatIfScene& scene, bool file);
// The two outputs and their probabilities alone.
WhatIfLayout layout_words(const Rect& area, const WhatIfScene& scene);
inline constexpr float kTallBar = 30;
// Of a sentence that the change made much longer, which then repeats itself, only the beginning is drawn.
std::size_t drawn_columns(const WhatIfScene& scene);
Point what_if_minimum(const WhatIfScene& scene);

void draw_words(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene,
                const std::vector<PlaceWord>* words);
void draw_words_alone(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene);
void draw_parts(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene);

}  // namespace glassformer
