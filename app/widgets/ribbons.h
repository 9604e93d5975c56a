// One head's weights as bands between two strips of chips: keys above, queries (or what they write) below.
// The width of a band is its weight; only the strongest are drawn, until they make up 75 % of their row. A
// sentence too long for chips gets a narrow place for each word: every band is drawn, whatever its length.
#pragma once

#include <functional>
#include <optional>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/heatmap.h"
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
  std::function<HitRegion(int)> key_hit = {}, query_hit = {};
};

struct RibbonsLayout {
  TokenStripLayout keys = {}, queries = {};
  bool dense =
      false;  // a narrow place for each word instead of a chip; the pinned word stands beside its own
};

// Fills the area's width and height: chips at its top and bottom edge.
RibbonsLayout draw_ribbons(Canvas& canvas, const Rect& area, const HeatmapData& weights,
                           const RibbonsOptions& options);

}  // namespace glassformer
