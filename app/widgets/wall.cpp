#include "app/widgets/wall.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/heatmap.h"
#include "engine/model/place_words.h"

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
    canvas.text({area.x, first.bottom() + 14}, options.name ? options.name(layer) : layer_words(layer),
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

double largest_magnitude(const HeatmapData& data) {
  double largest = 0;
  for (int row = 0; row < data.values.rows; ++row) {
    for (int column = 0; column < data.values.columns; ++column) {
      if (data.masked && data.masked(row, column)) continue;
      const double value = std::abs(static_cast<double>(data.values(row, column)));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  return largest;
}

double round_limit(double magnitude) {
  if (!(magnitude > 0) || !std::isfinite(magnitude)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(magnitude)));
  const double lead = magnitude / power;
  for (double step : {1.0, 1.2, 1.4, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (lead <= step * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

double weight_limit(double largest) {
  constexpr double kRounding = 1e-3;
  return largest <= 1 + kRounding ? 1 : round_limit(largest);
}

namespace {

// Rows that follow each other are hatched as one.
void hatch_rows(Canvas& canvas, const Rect& rect, int rows, const std::function<bool(int row)>& hatched) {
  const auto edge = [&](int row) {
    return rect.y + rect.height * static_cast<float>(row) / static_cast<float>(rows);
  };
  for (int row = 0; row < rows;) {
    int end = row;
    while (end < rows && hatched(end)) ++end;
    if (end > row) draw_hatched(canvas, {rect.x, edge(row), rect.width, edge(end) - edge(row)});
    row = std::max(end, row + 1);
  }
}

}  // namespace

void draw_heatmap_tile(Canvas& canvas, const Rect& rect, const HeatmapData& data,
                       const TileOptions& options) {
  if (data.values.rows <= 0 || data.values.columns <= 0 || !data.values.data) {
    canvas.rectangle(rect, {.fill = canvas.theme().sunken});
    return;
  }
  const Theme& theme = canvas.theme();
  double limit = options.limit;
  if (limit <= 0) {
    const double largest = largest_magnitude(data);
    limit = options.scale == ColorScale::weight ? weight_limit(largest) : largest;
  }
  std::vector<Color> colors;
  colors.reserve(static_cast<std::size_t>(data.values.rows * data.values.columns));
  for (int row = 0; row < data.values.rows; ++row) {
    for (int column = 0; column < data.values.columns; ++column) {
      const bool hidden = data.masked && data.masked(row, column);
      colors.push_back(
          hidden ? theme.panel
                 : value_color(options.scale, static_cast<double>(data.values(row, column)), limit, theme));
    }
  }
  canvas.grid(rect, data.values.rows, data.values.columns, colors);
  if (options.muted) hatch_rows(canvas, rect, data.values.rows, options.muted);
}

namespace {

constexpr int kBarSteps = 64;

std::vector<Color> bar_colors(ColorScale scale, const Theme& theme, bool downwards) {
  std::vector<Color> colors;
  for (int i = 0; i < kBarSteps; ++i) {
    const double along = i / (kBarSteps - 1.0), share = downwards ? 1 - along : along;
    colors.push_back(value_color(scale, scale == ColorScale::weight ? share : 2 * share - 1, 1, theme));
  }
  return colors;
}

}  // namespace

void draw_color_bar(Canvas& canvas, const Rect& bar, ColorScale scale, double limit) {
  const Theme& theme = canvas.theme();
  const std::vector<Color> colors = bar_colors(scale, theme, true);
  canvas.grid(bar, kBarSteps, 1, colors);
  const TextStyle style{.font = Font::mono, .size = 11, .color = theme.second_text};
  // The values end with the bar, and never lie on each other when it is short.
  const float x = bar.right() + 7, middle = bar.center().y, reach = std::max(7.0f, bar.height / 2 - 5);
  canvas.text({x, middle - reach}, format_short(limit), style);
  canvas.text({x, middle + reach}, scale == ColorScale::weight ? "0" : format_short(-limit), style);
  if (scale == ColorScale::signed_value && bar.height >= 64) canvas.text({x, bar.center().y}, "0", style);
}

void draw_color_bar_across(Canvas& canvas, const Rect& bar, ColorScale scale, double limit) {
  const Theme& theme = canvas.theme();
  const std::vector<Color> colors = bar_colors(scale, theme, false);
  canvas.grid(bar, 1, kBarSteps, colors);
  TextStyle style{.font = Font::mono, .size = 12, .color = theme.second_text};
  canvas.text({bar.right() + 6, bar.center().y}, format_short(limit), style);
  style.x = AlignX::right;
  canvas.text({bar.x - 6, bar.center().y}, scale == ColorScale::weight ? "0" : format_short(-limit), style);
}

}  // namespace glassformer
