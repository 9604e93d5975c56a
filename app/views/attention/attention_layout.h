// Where the parts of the Attention view stand. Wide areas show the wall of all heads beside one head
// enlarged; what is left below the wall holds the same head as ribbons, or the chosen row as bars when there
// is little room. In a narrow area one part at a time has the whole width, and the switch chooses which.
#pragma once

#include "app/theme/geometry.h"
#include "app/widgets/wall.h"

namespace glassformer {

constexpr float kSwitchWidth = 168;  // Heatmap | Ribbons, kept free of the heading beside it
// Of a head so wide: a very narrow stage has the switch of three parts beside the heading.
constexpr float switch_width(float head) {
  return head < 480 ? 196 : kSwitchWidth;
}

enum class AttentionPane { heatmap, ribbons, wall };

struct AttentionLayout {
  bool columns = true;  // wall and enlarged head side by side
  bool title = true, subtitle = true;
  Rect wall;          // with its heading; empty: not shown
  Rect below;         // under the wall, with its heading; empty: no room
  bool bars = false;  // the row as bars, not as ribbons or heatmap
  Rect head;          // the enlarged head with its heading; empty: not shown
  Rect part_switch;   // Heatmap | Ribbons, or in a narrow area | All heads
  float tile = 88, gap = 16;
};

AttentionLayout layout_attention(const Rect& area, int layers, int heads, AttentionPane part);
// The wall alone, its tiles as large as the area has room for.
AttentionLayout layout_wall_alone(const Rect& area, int layers, int heads);

// The height the wall needs with its heading at the smallest tiles.
float smallest_wall_height(int layers, int heads);

}  // namespace glassformer
