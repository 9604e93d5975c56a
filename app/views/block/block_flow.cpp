#include "app/views/block/block_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "engine/model/statistics.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kGroup = 22, kNames = 26, kShape = 22, kPast = 12;

void draw_tile(Canvas& canvas, const Rect& rect, const BlockScene& scene, const Operand& operand) {
  // No more cells than the tile has pixels.
  MatrixNumbers difference;
  if (scene.reader.input().difference_to) difference = operand_matrix(scene.reader, operand);
  const Plane plane = difference.values.empty() ? scene.plane(operand)
                                                : Plane{difference.values.data(), difference.rows.count(),
                                                        difference.columns.count()};
  const Pooled cells = pooled(plane, static_cast<int>(rect.height), static_cast<int>(rect.width));
  draw_heatmap_tile(canvas, rect, {.values = cells.plane()}, {.scale = ColorScale::signed_value});
}

void draw_shape(Canvas& canvas, const BlockFlow& flow, const Rect& rect, const BlockScene& scene,
                const Operand& operand) {
  TextStyle style = index_style(canvas);
  style.size = 11;
  style.x = AlignX::center;
  const std::string shape = shape_text(operand, scene.reader.numbers().sizes());
  if (canvas.measure(shape, style).x <= flow.pitch - 6)
    canvas.text({rect.center().x, rect.bottom() + 11}, shape, style);
}

// The number in a circle and the name, as far as there is room.
void draw_name(Canvas& canvas, const BlockFlow& flow, const BlockScene& scene, int stage, bool current) {
  const Theme& theme = canvas.theme();
  constexpr float kRadius = 9, kGap = 6;
  const Rect& rect = flow.stage[static_cast<std::size_t>(stage)];
  const Formula formula = walk_formula(scene.short_name(scene.at(stage)));
  const FormulaStyle style{.size = 12, .color = current ? theme.ink : theme.second_text};
  const float width = measure_formula(canvas, formula, style).width;
  const bool named = 2 * kRadius + kGap + width <= flow.pitch - 4;
  const float left = rect.center().x - (named ? (2 * kRadius + kGap + width) / 2 : kRadius);
  const Point middle{left + kRadius, rect.y - 14};
  canvas.circle(middle, kRadius, current ? theme.ink : theme.paper, {.color = style.color, .width = 1});
  canvas.text(middle, std::to_string(stage + 1),
              {.font = Font::mono,
               .size = 11,
               .color = current ? theme.on_ink : theme.second_text,
               .x = AlignX::center});
  if (named) draw_formula(canvas, {left + 2 * kRadius + kGap, middle.y}, formula, style);
}

const Rect& tile_of(const BlockFlow& flow, int stage) {
  return stage < 0 ? flow.stream : flow.stage[static_cast<std::size_t>(stage)];
}

// From the stream past the sub-layer to the circled plus where its output is added.
void draw_bypass(Canvas& canvas, const BlockFlow& flow, int from, int add) {
  const Theme& theme = canvas.theme();
  const Stroke stroke{.color = theme.ink, .width = 1.5f};
  const Rect &start = tile_of(flow, from), &end = tile_of(flow, add), &before = tile_of(flow, add - 1);
  const float middle = start.center().y;
  const float out = std::round((start.right() + tile_of(flow, from + 1).x) / 2);
  const float in = std::round((before.right() + end.x) / 2);
  constexpr float kRadius = 6;
  const std::array<Point, 4> way = {
      {{out, middle}, {out, flow.bypass}, {in, flow.bypass}, {in, middle + kRadius}}};
  canvas.polyline(way, stroke);
  canvas.circle({in, middle}, kRadius, theme.paper, stroke);
  canvas.line({in - 3, middle}, {in + 3, middle}, stroke);
  canvas.line({in, middle - 3}, {in, middle + 3}, stroke);
}

}  // namespace

BlockFlow block_flow(const BlockScene& scene, const Rect& area) {
  BlockFlow flow{.area = area};
  const auto gaps = static_cast<float>(scene.count());
  const float height = std::clamp(area.height - kGroup - kNames - kShape - kPast, 16.0f, 46.0f);
  // Between two tiles there is always room for the arrow and the circled plus.
  flow.pitch = std::floor(std::min((area.width - 24) / gaps, 96.0f));
  const float width = std::clamp(flow.pitch - 32, 16.0f, 56.0f);
  flow.pitch = std::floor(std::min(flow.pitch, (area.width - width) / gaps));
  const float top = area.y + kGroup + kNames;
  flow.stream = {area.x, top, width, height};
  for (int i = 0; i < scene.count(); ++i)
    flow.stage.push_back({area.x + flow.pitch * static_cast<float>(i + 1), top, width, height});
  flow.bypass = top + height + kShape;
  return flow;
}

void draw_block_flow(Canvas& canvas, const BlockFlow& flow, const BlockScene& scene, int current) {
  const Theme& theme = canvas.theme();
  const Stroke line{.color = theme.second_text, .width = 1.5f};

  // The sub-layers over their stages.
  for (int first = 0; first < scene.count();) {
    int last = first;
    const int sublayer = scene.at(first).sublayer();
    while (last + 1 < scene.count() && scene.at(last + 1).sublayer() == sublayer) ++last;
    const bool open = scene.at(current).sublayer() == sublayer;
    const Rect &from = tile_of(flow, first), &to = tile_of(flow, last);
    const TextStyle style{.font = open ? Font::semibold : Font::regular,
                          .size = 12,
                          .color = open ? theme.ink : theme.second_text};
    const float width = to.right() - from.x;
    canvas.text({from.x, flow.area.y + 8}, elided(canvas, scene.sublayer_name(sublayer), style, width),
                style);
    canvas.line({from.x, flow.area.y + kGroup - 4}, {to.right(), flow.area.y + kGroup - 4},
                {.color = open ? theme.ink : theme.border, .width = 1});
    first = last + 1;
  }

  // From tile to tile, and past each sub-layer.
  for (int i = 0; i < scene.count(); ++i) {
    const Rect &before = tile_of(flow, i - 1), &rect = tile_of(flow, i);
    draw_arrow(canvas, {before.right() + 4, rect.center().y}, {rect.x - 4, rect.center().y}, line);
  }
  for (int i = 0; i < scene.count(); ++i)
    if (scene.at(i).work == BlockWork::add)
      draw_bypass(canvas, flow, scene.made_by(scene.at(i).step->inputs.front()), i);

  // What the block reads, and what every stage makes.
  const Operand& stream = scene.stream;
  draw_tile(canvas, flow.stream, scene, stream);
  draw_shape(canvas, flow, flow.stream, scene, stream);
  canvas.text({flow.stream.center().x, flow.stream.y - 14}, stream.symbol,
              {.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::center});
  for (int i = 0; i < scene.count(); ++i) {
    const Rect& rect = tile_of(flow, i);
    draw_tile(canvas, rect, scene, scene.at(i).step->output);
    draw_shape(canvas, flow, rect, scene, scene.at(i).step->output);
    if (i == current)
      canvas.rectangle(rect.inset(-4), {.outline = theme.ink, .outline_width = 2, .radius = 4});
    draw_name(canvas, flow, scene, i, i == current);
  }
}

}  // namespace glassformer
