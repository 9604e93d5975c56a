// One side of a picture of ribbons: the words, and where the bands end. Words are chips while they can be
// read in them. More of them are in up to four rows beside a narrow place for each. A sentence too long for
// that shows a part: "+ 31" says how many words are left out there, and leads to them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/heatmap.h"
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
  std::vector<Rect> words = {};  // boxes of the words in sight, when they are in rows
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

// One head's weights as bands between two strips of words: keys above, queries (or what they write) below.
// The width of a band is its weight, and below a pixel its strength; only the strongest are drawn, until they
// make up 75 % of their row. Every word can be read, however long the sentence: see RibbonStrip.

struct RibbonsOptions {
  std::vector<TokenChip> keys = {};     // above; columns of the weights
  std::vector<TokenChip> queries = {};  // below; rows of the weights
  float full_width = 9;                 // px at weight 1
  double row_share = 0.75;
  std::optional<int> row = {};                         // this row in query blue, the others in ink at 33 %
  std::optional<int> column = {};                      // or this column in key orange
  std::vector<int> more_rows = {}, more_columns = {};  // as well
  std::optional<int> keep_row = {}, keep_column = {};  // in sight where a strip shows a part of its words
  std::function<HitRegion(int)> key_hit = {}, query_hit = {};
};

// Fills the area's width and height: words at its top and bottom edge.
RibbonSides draw_ribbons(Canvas& canvas, const Rect& area, const HeatmapData& weights,
                         const RibbonsOptions& options);

}  // namespace glassformer
