// The pieces that the map is put together from: blocks with a live thumbnail, layer frames, lines between
// them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

struct MapBlock {
  std::string name = {};  // "Cross-attention"
  bool hovered = false;
  bool open = false;                                  // 2-px ink, SemiBold
  bool changed = false;                               // by a what-if: a dot
  std::vector<HeatmapData> heads = {};                // thumbnail of an attention block: one tile a head
  std::function<bool(int head, int row)> muted = {};  // hatched in those tiles
  std::optional<HeatmapData> strip = {};  // thumbnail of the other blocks: signed values as a strip
  std::vector<float> bars = {};           // thumbnail of the output: probabilities as thin columns
};

constexpr float kBlockWidth = 108, kBlockHeight = 50;

void draw_map_block(Canvas& canvas, const Rect& rect, const MapBlock& block);
void draw_add_norm(Canvas& canvas, const Rect& rect, bool hovered = false, bool open = false);
// A rounded frame with its name at the top left: "Layer 2".
void draw_layer_frame(Canvas& canvas, const Rect& rect, const std::string& name, bool open = false);
// A closed layer: one row with its name.
void draw_closed_layer(Canvas& canvas, const Rect& rect, const std::string& name, bool hovered = false);
// At the corner of a block that a what-if has changed.
void draw_changed_dot(Canvas& canvas, const Rect& block, float radius = 4);
// The circled plus and the little wave where positions are added.
void draw_position_sum(Canvas& canvas, Point plus, bool wave_right = true);
// A line with right angles, and an arrow head at its end when asked.
void draw_connector(Canvas& canvas, const std::vector<Point>& points, const Stroke& stroke,
                    bool arrow = false);

}  // namespace glassformer
