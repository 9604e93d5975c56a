// One side of a picture of ribbons: the words, and where the bands end. Words are chips while they can be
// read in them. More of them stand in up to four rows beside a narrow place for each. A sentence too long for
// that shows a part: "+ 31" says how many words are left out there, and leads to them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

struct RibbonSide {
  const std::vector<TokenChip>& chips;
  const std::function<HitRegion(int)>& hit;  // of a word
  bool above = true;                         // of the bands
  std::optional<int> keep = {};              // this word is always in sight
};

struct RibbonStrip {
  int count = 0, first = 0, shown = 0;  // words there are, the first in sight, how many of them
  int rows = 1;                         // of words; 1: chips
  float text_size = 12;
  TokenStripLayout places = {};  // the chips, or a narrow place for each word in sight
  std::vector<Rect> words = {};  // boxes of the words in sight, when they stand in rows
  float before = 0, behind = 0;  // x where bands to words left out end, at the marks for them

  bool in_sight(int word) const { return word >= first && word < first + shown; }
  Rect place(int word) const { return places.chip(word - first); }
  float end(int word) const;  // x where a band to this word ends
};

// Both sides in one area, one size of chips where all can be read in it.
struct RibbonSides {
  RibbonStrip keys = {}, queries = {};
};
RibbonSides layout_ribbon_sides(const Canvas& canvas, const Rect& area, const RibbonSide& keys,
                                const RibbonSide& queries);
void draw_ribbon_strip(Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side, const Rect& area);

}  // namespace glassformer
