// Layers x heads as small heatmaps: layers down, heads across.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

struct WallOptions {
  int layers = 1, heads = 1;
  std::function<std::string(int layer)> name = {};            // of a row; none: "layer 1"
  std::function<HeatmapData(int layer, int head)> data = {};  // of one tile
  ColorScale scale = ColorScale::weight;
  double limit = 0;                     // as in TileOptions
  float tile = 88, gap = 16;            // largest tile; shrinks to 48 to fit the width
  int open_layer = -1, open_head = -1;  // 2-px ink outline, 4 px outside; head -1: the mean
  std::function<bool(int layer, int head, int row)> muted = {};  // hatched
  std::function<HitRegion(int layer, int head)> hit = {};        // for each tile
};

struct WallLayout {
  float tile = 0;  // px, whole
  float gap = 0;
  float row_height = 0;                       // one layer with its name
  float width = 0, height = 0;                // all of it; more than the area: let the stage scroll
  Rect tile_rect(int layer, int head) const;  // of the wall at `origin`
  Point origin;
};

WallLayout layout_wall(const Rect& area, const WallOptions& options);
WallLayout draw_wall(Canvas& canvas, const Rect& area, const WallOptions& options);

}  // namespace glassformer
