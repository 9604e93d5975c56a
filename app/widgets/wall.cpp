#include "app/widgets/wall.h"

#include <algorithm>
#include <cmath>

namespace glassformer {
namespace {

constexpr float kSmallestTile = 48, kHeadNames = 24, kLayerName = 30;

}  // namespace

Rect WallLayout::tile_rect(int layer, int head) const {
  return {origin.x + static_cast<float>(head) * (tile + gap),
          origin.y + kHeadNames + static_cast<float>(layer) * row_height, tile, tile};
}

WallLayout layout_wall(const Rect& area, const WallOptions& options) {
  WallLayout layout;
  const auto heads = static_cast<float>(std::max(1, options.heads)),
             layers = static_cast<float>(std::max(1, options.layers));
  layout.origin = {area.x, area.y};
  layout.gap = options.gap;
  // Tiles shrink to fit the width, and the height when that is enough, but not below 48.
  const float by_width = std::floor((area.width - (heads - 1) * options.gap) / heads);
  const float by_height = std::floor((area.height - kHeadNames) / layers - kLayerName);
  layout.tile =
      std::clamp(std::min(by_width, by_height), std::min(kSmallestTile, options.tile), options.tile);
  layout.row_height = layout.tile + kLayerName;
  layout.width = heads * layout.tile + (heads - 1) * layout.gap;
  layout.height = kHeadNames + layers * layout.row_height;
  return layout;
}

WallLayout draw_wall(Canvas& canvas, const Rect& area, const WallOptions& options) {
  const WallLayout layout = layout_wall(area, options);
  const Theme& theme = canvas.theme();
  const auto name_style = [&](bool strong) {
    return TextStyle{.font = strong ? Font::semibold : Font::regular,
                     .size = 12,
                     .color = strong ? theme.ink : theme.second_text};
  };
  for (int head = 0; head < options.heads; ++head) {
    TextStyle style = name_style(head == options.open_head);
    style.x = AlignX::center;
    const std::string number = std::to_string(head + 1), name = "head " + number;
    const bool fits = canvas.measure(name, style).x <= layout.tile + layout.gap - 4;
    canvas.text({layout.tile_rect(0, head).center().x, area.y + 10}, fits ? name : number, style);
  }
  for (int layer = 0; layer < options.layers; ++layer) {
    for (int head = 0; head < options.heads; ++head) {
      // Tiles have whole-pixel cells where the matrix is small enough.
      const Rect rect = layout.tile_rect(layer, head);
      const HeatmapData data = options.data ? options.data(layer, head) : HeatmapData{};
      TileOptions tile{.scale = options.scale, .limit = options.limit, .muted = {}};
      if (options.muted) tile.muted = [&](int row) { return options.muted(layer, head, row); };
      draw_heatmap_tile(canvas, rect, data, tile);
      const bool open = layer == options.open_layer && head == options.open_head;
      if (open) canvas.rectangle(rect.inset(-6), {.outline = theme.ink, .outline_width = 2, .radius = 4});
    }
    const Rect first = layout.tile_rect(layer, 0);
    canvas.text({area.x, first.bottom() + 14},
                options.name ? options.name(layer) : "layer " + std::to_string(layer + 1),
                name_style(layer == options.open_layer));
  }
  if (options.hit) {
    const Rect first = layout.tile_rect(0, 0);
    canvas.hit_grid({.rect = {first.x - options.gap / 2, first.y - kLayerName / 2,
                              static_cast<float>(options.heads) * (layout.tile + layout.gap),
                              static_cast<float>(options.layers) * layout.row_height},
                     .rows = options.layers,
                     .columns = options.heads,
                     .cell = [hit = options.hit, layout](int layer, int head) {
                       HitRegion region = hit(layer, head);
                       region.rect = layout.tile_rect(layer, head);
                       return region;
                     }});
  }
  return layout;
}

}  // namespace glassformer
