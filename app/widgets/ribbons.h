// One head's weights as bands between two strips of words: keys above, queries (or what they write) below.
// The width of a band is its weight, and below a pixel its strength; only the strongest are drawn, until they
// make up 75 % of their row. Every word can be read, however long the sentence: see ribbon_strip.h.
#pragma once

#include <functional>
#include <optional>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/ribbon_strip.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

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
