#include "app/views/head/head.h"

#include <algorithm>
#include <cmath>

#include "app/reading/cell_names.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kHead = 30;   // numbers and names over the pictures
constexpr float kShape = 20;  // the shape under each

Badge badge_of(int which) {
  return which == 0 ? Badge::query : which == 1 ? Badge::key : Badge::value;
}

Color color_of(const Theme& theme, int which) {
  return which == 0 ? theme.query : which == 1 ? theme.key : theme.value;
}

void draw_tile(Canvas& canvas, const Rect& rect, const HeadScene& scene, const Operand& operand) {
  const MatrixNumbers matrix = operand_matrix(scene.reader, operand);
  HeatmapData data;
  data.values = {matrix.values.data(), matrix.rows.count(), matrix.columns.count()};
  data.masked = [&matrix](int row, int column) { return matrix.is_hidden(row, column); };
  draw_heatmap_tile(canvas, rect, data, {.scale = matrix.scale, .limit = matrix.limit});
  // Hidden cells: one hatched piece a row.
  const float width = rect.width / static_cast<float>(std::max(1, matrix.columns.count()));
  const float height = rect.height / static_cast<float>(std::max(1, matrix.rows.count()));
  for (int row = 0; row < matrix.rows.count(); ++row) {
    for (int column = 0; column < matrix.columns.count(); ++column) {
      if (!matrix.is_hidden(row, column)) continue;
      int end = column + 1;
      while (end < matrix.columns.count() && matrix.is_hidden(row, end)) ++end;
      draw_hatched(canvas,
                   {rect.x + static_cast<float>(column) * width, rect.y + static_cast<float>(row) * height,
                    static_cast<float>(end - column) * width, height});
      column = end;
    }
  }
}

void draw_shape(Canvas& canvas, const Rect& rect, const HeadScene& scene, const Operand& operand,
                bool faint) {
  TextStyle style = index_style(canvas);
  style.size = 11;
  style.x = AlignX::center;
  if (faint) style.color = canvas.theme().faint_text;
  canvas.text({rect.center().x, rect.bottom() + 12}, shape_text(operand, scene.reader.numbers().sizes()),
              style);
}

// Done, current or still to come.
void draw_picture(Canvas& canvas, const Rect& rect, const HeadScene& scene, const Operand& operand,
                  int state) {
  const Theme& theme = canvas.theme();
  if (state > 0) {
    canvas.rectangle(rect, {.outline = theme.control, .radius = 2, .dashed = true});
  } else {
    draw_tile(canvas, rect, scene, operand);
    if (state == 0) canvas.rectangle(rect.inset(-4), {.outline = theme.ink, .outline_width = 2, .radius = 4});
  }
  draw_shape(canvas, rect, scene, operand, state > 0);
}

void draw_name(Canvas& canvas, Point center, float room, const HeadScene& scene, HeadStage stage, int state) {
  const Theme& theme = canvas.theme();
  draw_step_name(canvas, center, room, static_cast<int>(stage) + 1, scene.short_name(stage), state == 0,
                 state > 0 ? theme.faint_text : theme.second_text);
}

int state_of(HeadStage stage, HeadStage current) {
  return static_cast<int>(stage) - static_cast<int>(current);
}

HeadFlow folded_flow(const Rect& area) {
  HeadFlow flow;
  flow.folded = true;
  flow.middle = area.center().y;
  flow.bottom = area.bottom();
  const float pitch = area.width / static_cast<float>(kHeadStages);
  for (int i = 0; i < kHeadStages; ++i)
    flow.stage[static_cast<std::size_t>(i)] = {area.x + static_cast<float>(i) * pitch + 6, area.y + 6,
                                               pitch - 12, area.height - 12};
  return flow;
}

void draw_folded_flow(Canvas& canvas, const HeadFlow& flow, const HeadScene& scene, HeadStage current) {
  for (int i = 0; i < kHeadStages; ++i) {
    const auto stage = static_cast<HeadStage>(i);
    const Rect& rect = flow.stage[static_cast<std::size_t>(i)];
    if (i > 0) {
      const float before = flow.stage[static_cast<std::size_t>(i - 1)].right();
      canvas.line(
          {before + 1, flow.middle}, {rect.x - 1, flow.middle},
          {.color = state_of(stage, current) > 0 ? canvas.theme().control : canvas.theme().second_text,
           .width = 1.5f});
    }
    draw_name(canvas, rect.center(), rect.width - 4, scene, stage, state_of(stage, current));
  }
}

}  // namespace

HeadFlow head_flow(const HeadScene& scene, const Rect& area) {
  if (area.height <= kFoldedFlow) return folded_flow(area);
  HeadFlow flow;
  // Nine places side by side; concat and the output are as wide as the model.
  const float pitch = std::floor(area.width / 9.2f);
  const float size =
      std::floor(std::clamp(std::min(pitch - 34, (area.height - kHead) / 3 - kShape), 20.0f, 64.0f));
  const float top = area.y + kHead, step = size + kShape;
  flow.x = {area.x, top + step / 2, std::min(size * 1.3f, pitch - 20), size};
  if (scene.cross) {
    flow.x.y = top;
    flow.memory = {area.x, top + 1.5f * step, flow.x.width, size};
  }
  const float first = area.x + pitch * 1.12f + 10;
  for (int i = 0; i < 3; ++i)
    flow.qkv[static_cast<std::size_t>(i)] = {first, top + static_cast<float>(i) * step, size, size};
  flow.stage[0] = {first, top, size, 2 * step + size};
  flow.middle = top + step / 2 + size / 2;
  float x = first + pitch;
  for (int i = 1; i < kHeadStages; ++i) {
    const bool wide = i >= static_cast<int>(HeadStage::concat);
    const float width = wide ? std::min(size * 1.3f, pitch - 20) : size;
    flow.stage[static_cast<std::size_t>(i)] = {x, flow.middle - size / 2, width, size};
    x += pitch * (wide ? 1.08f : 1.0f);
  }
  flow.bottom = top + 3 * step;
  return flow;
}

void draw_head_flow(Canvas& canvas, const HeadFlow& flow, const HeadScene& scene, HeadStage current) {
  if (flow.folded) return draw_folded_flow(canvas, flow, scene, current);
  const Theme& theme = canvas.theme();
  const Stroke line{.color = theme.second_text, .width = 1.5f},
      waiting{.color = theme.control, .width = 1.5f};
  const auto stroke = [&](HeadStage stage) { return state_of(stage, current) > 0 ? waiting : line; };
  const TextStyle title{.font = Font::semibold, .size = 12, .color = theme.ink, .x = AlignX::center};

  // Sources.
  const auto source = [&](const Rect& rect, const Operand& operand, const std::string& word) {
    draw_tile(canvas, rect, scene, operand);
    canvas.text({rect.center().x, rect.y - 12}, word, title);
    draw_shape(canvas, rect, scene, operand, false);
  };
  source(flow.x, scene.block.input, scene.block.input.symbol);
  if (scene.cross) source(flow.memory, scene.block.memory, "memory");

  // To Q, K and V.
  const std::array<const Operand*, 3> made = {&scene.head.query, &scene.head.key, &scene.head.value};
  for (int i = 0; i < 3; ++i) {
    const Rect& rect = flow.qkv[static_cast<std::size_t>(i)];
    const Rect& from = scene.cross && i > 0 ? flow.memory : flow.x;
    const float start = from.right() + 4, y = from.center().y, turn = std::floor((start + rect.x - 26) / 2);
    canvas.line({start, y}, {turn, y}, line);
    if (rect.center().y != y) canvas.line({turn, y}, {turn, rect.center().y}, line);
    draw_arrow(canvas, {turn, rect.center().y}, {rect.x - 26, rect.center().y}, line);
    draw_badge(canvas, {rect.x - 14, rect.center().y}, badge_of(i), 16);
    draw_tile(canvas, rect, scene, *made[static_cast<std::size_t>(i)]);
    canvas.rectangle(rect.inset(-1), {.outline = color_of(theme, i), .outline_width = 2, .radius = 2});
    draw_shape(canvas, rect, scene, *made[static_cast<std::size_t>(i)], false);
  }
  // Around badges and shapes too: they are wider than small pictures.
  if (current == HeadStage::project) {
    const Rect& three = flow.stage[0];
    const float left = three.x - 27, right = std::max(three.right() + 5, three.center().x + 25);
    canvas.rectangle({left, three.y - 5, right - left, three.height + 5 + kShape + 2},
                     {.outline = theme.ink, .outline_width = 2, .radius = 4});
  }

  // Q and K meet.
  const Rect& match = flow.stage[static_cast<std::size_t>(HeadStage::match)];
  const float join = flow.qkv[0].right() + std::floor((match.x - flow.qkv[0].right()) * 0.4f);
  for (const int i : {0, 1}) {
    const Point end = {flow.qkv[static_cast<std::size_t>(i)].right() + 6,
                       flow.qkv[static_cast<std::size_t>(i)].center().y};
    canvas.line(end, {join, end.y}, stroke(HeadStage::match));
    canvas.line({join, end.y}, {join, flow.middle}, stroke(HeadStage::match));
  }
  draw_arrow(canvas, {join, flow.middle}, {match.x - 8, flow.middle}, stroke(HeadStage::match));

  // One after another; V comes in from below.
  for (int i = 1; i < kHeadStages; ++i) {
    const auto stage = static_cast<HeadStage>(i);
    const Rect& rect = flow.stage[static_cast<std::size_t>(i)];
    if (i > 1) {
      const Rect& before = flow.stage[static_cast<std::size_t>(i - 1)];
      draw_arrow(canvas, {before.right() + 8, flow.middle}, {rect.x - 8, flow.middle}, stroke(stage));
    }
    draw_picture(canvas, rect, scene, scene.result(stage), state_of(stage, current));
  }
  const Rect& sum = flow.stage[static_cast<std::size_t>(HeadStage::sum)];
  Stroke below = stroke(HeadStage::sum);
  below.dashed = true;
  const float value_y = flow.qkv[2].center().y;
  canvas.line({flow.qkv[2].right() + 6, value_y}, {sum.center().x, value_y}, below);
  draw_arrow(canvas, {sum.center().x, value_y}, {sum.center().x, sum.bottom() + kShape + 4},
             stroke(HeadStage::sum));

  // Names.
  const float pitch = flow.stage[2].x - flow.stage[1].x;
  for (int i = 0; i < kHeadStages; ++i) {
    const Rect& rect = flow.stage[static_cast<std::size_t>(i)];
    draw_name(canvas, {rect.center().x, rect.y - 18}, pitch - 6, scene, static_cast<HeadStage>(i),
              state_of(static_cast<HeadStage>(i), current));
  }
  const int heads = scene.reader.config().heads;
  const Rect &concat = flow.stage[static_cast<std::size_t>(HeadStage::concat)],
             &output = flow.stage[static_cast<std::size_t>(HeadStage::output)];
  TextStyle note = caption_style(canvas);
  note.x = AlignX::center;
  canvas.text({(concat.x + output.right()) / 2, concat.bottom() + kShape + 16},
              "all " + std::to_string(heads) + " heads side by side", note);
}

}  // namespace glassformer
