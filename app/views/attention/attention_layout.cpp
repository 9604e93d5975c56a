#include "app/views/attention/attention_layout.h"

#include <algorithm>
#include <cmath>

#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr float kSmallTile = 48, kColumnGap = 40;
constexpr float kLowArea = 560;     // under it the subtitle goes and tiles stay small
constexpr float kLowestArea = 400;  // under it the title goes too, for the sake of the map
constexpr float kWideSwitchWidth = 256, kSwitchHeight = 32;

float gap_of(float tile) {
  return tile >= 80 ? 16 : tile >= 60 ? 12 : 8;
}

WallLayout wall_layout(int layers, int heads, float tile) {
  WallOptions options;
  options.layers = layers;
  options.heads = heads;
  options.tile = tile;
  options.gap = gap_of(tile);
  return layout_wall({0, 0, 100000, 100000}, options);
}

float width_of(int heads, float tile) {
  return static_cast<float>(heads) * tile + static_cast<float>(heads - 1) * gap_of(tile);
}

}  // namespace

float smallest_wall_height(int layers, int heads) {
  return kHeadingHeight + wall_layout(layers, heads, kSmallTile).height;
}

AttentionLayout layout_attention(const Rect& area, int layers, int heads, AttentionPane part) {
  AttentionLayout layout;
  layout.subtitle = area.height >= kLowArea;
  layout.title = area.height >= kLowestArea;
  Rect content = stage_content(area, layout.subtitle);
  if (!layout.title) {
    const float up = content.y - area.y - 12;
    content.y -= up, content.height += up;
  }

  // Clear of the switch in the title, which is nearer where there is no subtitle.
  const float switch_top = content.y - (layout.subtitle || !layout.title ? 4.0f : 0.0f);

  // The largest tiles that leave the enlarged head more than half of the width, and the wall inside the
  // height.
  const float share = layout.subtitle ? 0.44f : 0.34f;
  const float split = area.width < 800 ? 24 : layout.subtitle ? kColumnGap : 52;
  layout.tile = layout.subtitle ? 88 : 64;
  while (layout.tile > kSmallTile &&
         (width_of(heads, layout.tile) > share * content.width ||
          kHeadingHeight + wall_layout(layers, heads, layout.tile).height > content.height))
    layout.tile -= 4;
  layout.gap = gap_of(layout.tile);
  const float wall_width = width_of(heads, layout.tile);
  const float head_width = content.width - split - wall_width;
  const float wall_height = kHeadingHeight + wall_layout(layers, heads, layout.tile).height;
  layout.columns = (head_width >= 380 || (head_width >= 320 && head_width > wall_width)) &&
                   (layout.title || wall_height <= content.height);

  if (!layout.columns) {
    const float width = content.width < 480 ? switch_width(content.width) : kWideSwitchWidth;
    layout.part_switch = {content.right() - width, switch_top, width, kSwitchHeight};
    (part == AttentionPane::wall ? layout.wall : layout.head) = content;
    layout.tile =
        std::clamp(std::floor((content.width + 8) / static_cast<float>(heads)) - 8, kSmallTile, 88.0f);
    layout.gap = gap_of(layout.tile);
    return layout;
  }

  layout.wall = {content.x, content.y, wall_width, std::min(wall_height, content.height)};
  layout.head = {content.x + wall_width + split, content.y, head_width, content.height};
  layout.part_switch = {layout.head.right() - kSwitchWidth, switch_top, kSwitchWidth, kSwitchHeight};
  const float left = content.height - wall_height - 16;
  layout.bars = left < 190 || wall_width < 300;
  if (left >= (layout.bars ? 110 : 190))
    layout.below = {content.x, content.y + wall_height + 16, wall_width, left};
  return layout;
}

AttentionLayout layout_wall_alone(const Rect& area, int layers, int heads) {
  AttentionLayout layout;
  layout.columns = false;
  layout.wall = area.inset(kStagePadding);
  layout.tile = 400;
  while (layout.tile > kSmallTile &&
         (width_of(heads, layout.tile) > layout.wall.width ||
          kHeadingHeight + wall_layout(layers, heads, layout.tile).height > layout.wall.height))
    layout.tile -= 4;
  layout.gap = gap_of(layout.tile);
  return layout;
}

}  // namespace glassformer
