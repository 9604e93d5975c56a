#include "app/widgets/block_diagram.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/widgets/marks.h"

namespace glassformer {
namespace {

constexpr float kInset = 4, kNameRow = 21;  // of the name above the thumbnail

// The largest tiles of whole-pixel cells: 3 px when they fit, side by side with 1 px between.
void draw_heads(Canvas& canvas, const Rect& room, const MapBlock& block) {
  const auto heads = static_cast<float>(block.heads.size());
  const float width = std::floor((room.width - (heads - 1)) / heads);
  if (width < 1) return;
  const float left = std::floor((room.width - heads * width - (heads - 1)) / 2);
  for (std::size_t head = 0; head < block.heads.size(); ++head) {
    const Rect tile{room.x + left + static_cast<float>(head) * (width + 1), room.y, width, room.height};
    TileOptions options;
    if (block.muted) options.muted = [&](int row) { return block.muted(static_cast<int>(head), row); };
    draw_heatmap_tile(canvas, tile, block.heads[head], options);
  }
}

void draw_bars(Canvas& canvas, const Rect& room, const std::vector<float>& bars) {
  const Theme& theme = canvas.theme();
  const float pitch = room.width / static_cast<float>(bars.size()),
              width = std::max(1.0f, std::floor(pitch * 0.7f));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const float height = std::max(1.0f, std::round(room.height * std::clamp(bars[i], 0.0f, 1.0f)));
    canvas.rectangle(
        {std::round(room.x + static_cast<float>(i) * pitch), room.bottom() - height, width, height},
        {.fill = theme.second_text});
  }
}

}  // namespace

void draw_map_block(Canvas& canvas, const Rect& rect, const MapBlock& block) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(rect, {.fill = block.hovered ? theme.hover : theme.panel,
                          .outline = block.open ? theme.ink : theme.control,
                          .outline_width = block.open ? 2.0f : 1.0f,
                          .radius = 4});
  const bool picture = !block.heads.empty() || block.strip || !block.bars.empty();
  const bool tall = picture && rect.height >= kNameRow + 10;
  const TextStyle name{.font = block.open ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
  const float name_y = tall ? rect.y + 11 : rect.center().y;
  canvas.text({rect.x + 6, name_y}, elided(canvas, block.name, name, rect.width - 10), name);
  if (tall) {
    const Rect room{rect.x + kInset, rect.y + kNameRow, rect.width - 2 * kInset,
                    rect.height - kNameRow - kInset};
    if (!block.heads.empty()) {
      draw_heads(canvas, room, block);
    } else if (block.strip) {
      draw_heatmap_tile(canvas, {room.x, room.y + 2, room.width, room.height - 4}, *block.strip,
                        {.scale = ColorScale::signed_value});
    } else {
      draw_bars(canvas, room, block.bars);
    }
  }
  if (block.changed) draw_changed_dot(canvas, rect);
}

void draw_add_norm(Canvas& canvas, const Rect& rect, bool hovered, bool open) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(rect, {.fill = hovered ? theme.hover : theme.sunken,
                          .outline = open ? theme.ink : theme.border,
                          .outline_width = open ? 2.0f : 1.0f,
                          .radius = 4});
  canvas.text(rect.center(), "Add & norm",
              {.size = 12, .color = open ? theme.ink : theme.second_text, .x = AlignX::center});
}

void draw_layer_frame(Canvas& canvas, const Rect& rect, const std::string& name, bool open) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(rect, {.outline = open ? theme.control : theme.border, .radius = 8});
  canvas.text({rect.x + 6, rect.y + 11}, name, {.size = 12, .color = theme.second_text});
}

void draw_closed_layer(Canvas& canvas, const Rect& rect, const std::string& name, bool hovered) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(rect, {.fill = hovered ? theme.hover : theme.panel, .outline = theme.border, .radius = 6});
  canvas.text({rect.x + 8, rect.center().y}, name, {.size = 12, .color = theme.second_text});
  draw_mark(canvas, {rect.right() - 12, rect.center().y}, Mark::chevron_down, theme.second_text, 8);
}

void draw_changed_dot(Canvas& canvas, const Rect& block, float radius) {
  canvas.circle({block.right() - 1, block.y + 1}, radius, canvas.theme().reference, {});
}

void draw_position_sum(Canvas& canvas, Point plus, bool wave_right) {
  const Theme& theme = canvas.theme();
  const Stroke stroke{.color = theme.second_text, .width = 1};
  canvas.circle(plus, 8, theme.panel, stroke);
  canvas.line({plus.x - 4, plus.y}, {plus.x + 4, plus.y}, stroke);
  canvas.line({plus.x, plus.y - 4}, {plus.x, plus.y + 4}, stroke);
  // A short sine wave that runs into the circle.
  const float side = wave_right ? 1.0f : -1.0f;
  canvas.line({plus.x + side * 8, plus.y}, {plus.x + side * 20, plus.y}, stroke);
  std::array<Point, 25> wave;
  for (std::size_t i = 0; i < wave.size(); ++i) {
    const float along = static_cast<float>(i);
    wave[i] = {plus.x + side * (20 + along * 1.4f), plus.y - 5 * std::sin(along * 0.55f)};
  }
  canvas.polyline(wave, {.color = theme.second_text, .width = 1});
}

void draw_connector(Canvas& canvas, const std::vector<Point>& points, const Stroke& stroke, bool arrow) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    Point from = points[i - 1], to = points[i];
    if (arrow && i + 1 == points.size()) {
      draw_arrow(canvas, from, to, stroke);
    } else {
      // Level and upright pieces overlap at corners, so that these are closed.
      const float half = stroke.width / 2;
      const Point along{to.x > from.x   ? half
                        : to.x < from.x ? -half
                                        : 0,
                        to.y > from.y   ? half
                        : to.y < from.y ? -half
                                        : 0};
      canvas.line(from, to + along, stroke);
    }
  }
}

}  // namespace glassformer
