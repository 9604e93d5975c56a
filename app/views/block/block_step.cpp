#include "app/views/block/block.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/difference.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/bars.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kPad = 16, kFoot = 20, kStrip = 14;
constexpr float kBarsWidth = 108, kTileGap = 8;
constexpr float kIntoHeads = 28;  // the arrow before them

// What is in a row of matrices, each with its place along it.
struct Layout {
  std::vector<BlockPart> parts;
  std::vector<MatrixNumbers> matrices;
  std::vector<float> x;       // where the cells of each begin
  std::vector<float> pitch;   // of its columns
  float top = 0, height = 0;  // of the cells: where they begin, and of one row
  Rect heads;                 // of an attending stage, before what they bring together
  float bars = 0;             // where they begin
  bool gains = false;         // γ and, of a LayerNorm, β are under the result
};

float sign_width(const Canvas& canvas, const std::string& sign) {
  if (sign.empty()) return 20;
  return measure_formula(canvas, walk_formula(sign), {.size = 12}).width + 24;
}

// A sign between two matrices; what is done to one of them is over an arrow.
void draw_sign(Canvas& canvas, const Rect& gap, const std::string& sign) {
  const Theme& theme = canvas.theme();
  const Point middle = gap.center();
  if (sign == "+" || sign == "=")
    return canvas.text(middle, sign, {.size = 16, .color = theme.ink, .x = AlignX::center});
  if (sign.empty()) return;
  const Formula formula = walk_formula(sign);
  const FormulaStyle style{.size = 12, .color = theme.second_text};
  const float width = measure_formula(canvas, formula, style).width;
  draw_formula(canvas, {middle.x - width / 2, middle.y - 12}, formula, style);
  draw_arrow(canvas, {gap.x + 6, middle.y + 2}, {gap.right() - 6, middle.y + 2},
             {.color = theme.ink, .width = 1.5f});
}

Layout layout_of(const Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  Layout layout{.parts = block_parts(scene, stage)};
  const bool attends = stage.work == BlockWork::attend;
  const auto bars = static_cast<float>(row_bars(scene, stage).size());
  const float beside = bars * kBarsWidth;
  const float tiles = attends ? std::clamp(area.width * 0.15f, 96.0f, 190.0f) : 0;

  // What is left for cells goes by the number of columns.
  std::vector<float> labels, wanted;
  float fixed = beside + (attends ? kIntoHeads + tiles : 0);
  const auto want = [&](const BlockPart& part) {
    const auto columns = static_cast<float>(scene.reader.extent(part.operand.columns));
    return columns <= 10   ? columns * 36
           : columns <= 16 ? columns * 16
                           : std::clamp(columns * 3, 192.0f, 900.0f);
  };
  float all = 0;
  for (const BlockPart& part : layout.parts) {
    MatrixNumbers words;
    words.rows = scene.reader.axis(part.operand, false);
    labels.push_back(part.row_words ? matrix_label_width(canvas, words) : 0);
    fixed += labels.back() + (labels.size() > 1 ? sign_width(canvas, part.before) : 0);
    wanted.push_back(want(part));
    all += wanted.back();
  }
  const float share = std::max(8.0f, area.width - fixed - 4) / all;

  int most_rows = 1;
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    layout.matrices.push_back(part_numbers(scene, layout.parts[i], wanted[i] * share));
    layout.pitch.push_back(pitch_for(wanted[i] * share, layout.matrices[i].columns, 56));
    most_rows = std::max(most_rows, layout.matrices[i].rows.count());
  }
  if (stage.work == BlockWork::add) share_limit(layout.matrices);
  layout.gains = stage.work == BlockWork::norm && area.height > 190;
  layout.top = area.y + kPartTitle + kMatrixLabels;
  const float foot = layout.gains ? 2 * kStrip + 12 : stage.work == BlockWork::add ? kFoot + 4 : 4;
  const float room = area.bottom() - layout.top - foot;
  layout.height = pitch_for(room, whole_axis(most_rows), 40);

  float x = area.x;
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    const bool last = i + 1 == layout.parts.size();
    if (attends && i + 2 == layout.parts.size()) {
      layout.heads = {x + kIntoHeads, layout.top, tiles, layout.height * static_cast<float>(most_rows)};
      x += kIntoHeads + tiles;
    }
    // Mean and deviation are before the norm they make, the change of the sum at its end.
    if (stage.work == BlockWork::norm && last) {
      layout.bars = x + 16;
      x += beside;
    }
    if (i > 0) x += sign_width(canvas, layout.parts[i].before);
    x += labels[i];
    layout.x.push_back(x);
    x += matrix_size(layout.matrices[i], {layout.pitch[i], layout.height}).x;
  }
  if (stage.work == BlockWork::add && bars > 0) layout.bars = x + 16;
  return layout;
}

void draw_row_bars(Canvas& canvas, const Rect& rows, const BlockScene& scene, const RowBars& bars) {
  const Theme& theme = canvas.theme();
  draw_formula(canvas, {rows.x, rows.y - kMatrixLabels - kPartTitle + 10}, walk_formula(bars.symbol),
               {.size = 14, .color = theme.ink});
  canvas.text({rows.x, rows.y - 10}, bars.word, caption_style(canvas));
  double limit = bars.percent ? 1 : 0;
  for (const double value : bars.values)
    if (std::isfinite(value)) limit = std::max(limit, std::abs(value));
  limit = bars.percent ? limit : round_limit(limit);

  const float pitch = rows.height / static_cast<float>(std::max<std::size_t>(1, bars.values.size()));
  const bool numbers = pitch >= 14;
  const float thick = std::clamp(std::floor(pitch) - 4, 1.0f, 9.0f), length = numbers ? 36.0f : 84.0f;
  const std::optional<Operand> value = bars.value;
  MatrixNumbers column;
  if (value) column = operand_matrix(scene.reader, *value);
  const auto hit_of = value ? operand_hits(scene.reader, *value, column, false, "block " + bars.symbol)
                            : std::function<HitRegion(int, int)>();
  const std::vector<std::string> words = scene.reader.words(scene.stream, false);
  for (std::size_t row = 0; row < bars.values.size(); ++row) {
    const double each = bars.values[row];
    const float y = rows.y + pitch * (static_cast<float>(row) + 0.5f);
    const Rect track{rows.x, y - thick / 2, length, thick};
    const bool lit = scene.lit_row(scene.stream) == static_cast<int>(row);
    const double share = std::isfinite(each) ? each / limit : 0;
    if (bars.diverging) {
      draw_signed_bar(canvas, track, share);
    } else {
      draw_share_bar(canvas, track, share, lit ? theme.ink : theme.second_text);
    }
    const std::string text = bars.percent ? format_percent(each) : format_fixed(each, 2);
    if (numbers)
      canvas.text(
          {rows.x + kBarsWidth - 20, y}, text,
          {.font = Font::mono, .size = 11, .color = lit ? theme.ink : theme.second_text, .x = AlignX::right});
    HitRegion hit;
    if (hit_of) {
      hit = hit_of(static_cast<int>(row), 0);
    } else {
      hit.label = "block change " + std::to_string(row);
      hit.tooltip = "“" + (row < words.size() ? words[row] : std::to_string(row)) + "”: what is added is " +
                    text + " as long as the stream";
    }
    hit.rect = {rows.x, rows.y + pitch * static_cast<float>(row), kBarsWidth - 20, pitch};
    canvas.hit(hit);
  }
}

// The learned gain and shift of every column, under the numbers they were applied to.
void draw_gains(Canvas& canvas, const Layout& layout, const BlockScene& scene, const BlockStage& stage,
                float bottom) {
  const std::size_t last = layout.parts.size() - 1;
  const MatrixAxis& columns = layout.matrices[last].columns;
  float y = bottom + 8;
  for (std::size_t i = 1; i < stage.step->inputs.size(); ++i) {
    const Operand& operand = stage.step->inputs[i];
    const MatrixNumbers strip =
        operand_matrix(scene.reader, operand, false, scene.reader.axis(operand, false), columns);
    MatrixLook look;
    look.row_labels = look.column_labels = false;
    look.hit = operand_hits(scene.reader, operand, strip, false, "block " + operand.symbol);
    draw_matrix(canvas, {layout.x[last], y}, {layout.pitch[last], kStrip - 2}, strip, look);
    draw_formula(canvas, {layout.x[last] - 16, y + kStrip / 2 - 1}, walk_formula(operand.symbol),
                 {.size = 12, .color = canvas.theme().second_text});
    y += kStrip;
  }
}

std::vector<Rect> head_tiles(const Rect& area, int heads) {
  int across = 1;
  while (across * across < heads) ++across;
  const int down = (heads + across - 1) / across;
  const float gap = heads > 16 ? 3 : kTileGap;
  const float width =
      std::floor((area.width - gap * static_cast<float>(across - 1)) / static_cast<float>(across));
  const float height =
      std::floor((area.height - gap * static_cast<float>(down - 1)) / static_cast<float>(down));
  const float size = std::max(4.0f, std::min(width, height));
  std::vector<Rect> tiles;
  for (int head = 0; head < heads; ++head)
    tiles.push_back({area.x + (size + gap) * static_cast<float>(head % across),
                     area.y + (size + gap) * static_cast<float>(head / across), size, size});
  return tiles;
}

void draw_heads(Canvas& canvas, const Layout& layout, const BlockScene& scene, const BlockStage& stage) {
  const Theme& theme = canvas.theme();
  const ViewInput& input = scene.reader.input();
  const AttentionKind kind = scene.kind(stage);
  const std::vector<Rect> tiles = head_tiles(layout.heads, scene.reader.config().heads);
  const float title = layout.heads.y - kMatrixLabels - kPartTitle + 10;
  draw_formula(canvas, {layout.heads.x, title}, walk_formula("A"), {.size = 14, .color = theme.ink});
  TextStyle note = caption_style(canvas);
  canvas.text({layout.heads.x, layout.heads.y - 10},
              elided(canvas, std::to_string(tiles.size()) + (tiles.size() == 1 ? " head" : " heads"), note,
                     layout.heads.width),
              note);
  const double limit = difference_limit(input, kind, scene.reader.sentence());
  for (std::size_t head = 0; head < tiles.size(); ++head) {
    const auto number = static_cast<int>(head);
    const AttentionTable table = shown_attention(input, kind, scene.layer, number, scene.reader.sentence());
    draw_heatmap_tile(
        canvas, tiles[head], table.data(),
        {.scale = limit > 0 ? ColorScale::signed_value : ColorScale::weight,
         .limit = limit,
         .muted = [&](int row) { return input.result.scene.what_if.mutes(kind, scene.layer, number, row); }});
    if (scene.shown.kind == kind && scene.shown.head == number)
      canvas.rectangle(tiles[head].inset(-2), {.outline = theme.ink, .outline_width = 2, .radius = 3});
  }
}

std::string why_of(const BlockScene& scene, const BlockStage& stage) {
  return scene.reader.input().difference_to ? kDifferenceSteps : explanation(*stage.step);
}

// What is left for the numbers below the words of draw_panel.
Rect panel_content(const Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const Rect inside{area.x + kPad, area.y + 12, area.width - 2 * kPad, area.height - 24};
  const float why = paragraph_height(canvas, inside.width, why_of(scene, stage), {.size = 12, .color = {}});
  const float top = inside.y + 24 + why + 8;
  return {inside.x, top, inside.width, inside.bottom() - top};
}

// What is done and by which formula, along a line through its middle.
void draw_name(Canvas& canvas, Point at, float right, const BlockScene& scene, const BlockStage& stage) {
  const Theme& theme = canvas.theme();
  const TextStyle title{.font = Font::semibold, .size = 14, .color = theme.ink};
  const std::string name = scene.title(stage);
  canvas.text(at, name, title);
  const float x = at.x + canvas.measure(name, title).x + 24;
  const Formula formula = walk_formula(symbols_formula(*stage.step));
  const FormulaStyle style{.size = 14, .color = theme.second_text};
  const bool fits = x + measure_formula(canvas, formula, style).width <= right;
  if (fits && !scene.reader.input().difference_to) draw_formula(canvas, {x, at.y}, formula, style);
}

// The same, and why.
void draw_panel(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(area, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  const Rect inside{area.x + kPad, area.y + 12, area.width - 2 * kPad, area.height - 24};
  draw_name(canvas, {inside.x, inside.y + 10}, inside.right(), scene, stage);
  paragraph(canvas, {inside.x, inside.y + 24}, inside.width, why_of(scene, stage),
            {.size = 12, .color = theme.second_text});
}

// A heading may extend over the sign beside its matrix, until the next thing begins.
float title_end(const Layout& layout, std::size_t part, const Rect& area) {
  float end = area.right() + 8;
  for (const float next : {part + 1 < layout.x.size() ? layout.x[part + 1] : 0,
                           layout.heads.width > 0 ? layout.heads.x : 0, layout.bars})
    if (next > layout.x[part]) end = std::min(end, next);
  return end - 8;
}

void draw_row(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const Layout layout = layout_of(canvas, area, scene, stage);
  int most_rows = 1;
  for (const MatrixNumbers& each : layout.matrices) most_rows = std::max(most_rows, each.rows.count());
  const float bottom = layout.top + layout.height * static_cast<float>(most_rows);
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    const BlockPart& part = layout.parts[i];
    const MatrixNumbers& matrix = layout.matrices[i];
    draw_matrix(canvas, {layout.x[i], layout.top}, {layout.pitch[i], layout.height}, matrix,
                part_look(canvas, scene, layout.parts, part, matrix));
    draw_part_title(canvas, {layout.x[i], area.y + 10}, title_end(layout, i, area) - layout.x[i], part,
                    matrix);
    if (!part.before.empty()) {
      const float width = sign_width(canvas, part.before);
      draw_sign(canvas, {layout.x[i] - width, layout.top, width, bottom - layout.top}, part.before);
    }
  }
  if (layout.heads.width > 0) {
    draw_sign(canvas, {layout.heads.x - kIntoHeads, layout.top, kIntoHeads, bottom - layout.top}, " ");
    draw_heads(canvas, layout, scene, stage);
  }
  float x = layout.bars;
  for (const RowBars& bars : row_bars(scene, stage)) {
    const float rows = layout.height * static_cast<float>(bars.values.size());
    draw_row_bars(canvas, {x, layout.top, kBarsWidth - 20, rows}, scene, bars);
    x += kBarsWidth;
  }
  if (layout.gains) draw_gains(canvas, layout, scene, stage, bottom);
  if (stage.work == BlockWork::add && layout.bars > 0) {
    const TextStyle caption = caption_style(canvas);
    canvas.text({layout.x.front(), bottom + 14},
                elided(canvas, "Change: how long the row that is added is beside the row of the stream.",
                       caption, area.right() - layout.x.front()),
                caption);
  }
}

void draw_stage_numbers(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const bool units = stage.work == BlockWork::activate || stage.work == BlockWork::gate;
  (units ? draw_units : draw_row)(canvas, area, scene, stage);
}

}  // namespace

void draw_block_step(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  draw_panel(canvas, area, scene, stage);
  draw_stage_numbers(canvas, panel_content(canvas, area, scene, stage), scene, stage);
}

void draw_block_part(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  constexpr float kName = 28;
  draw_name(canvas, {area.x, area.y + 10}, area.right(), scene, stage);
  draw_stage_numbers(canvas, {area.x, area.y + kName, area.width, area.height - kName}, scene, stage);
}

std::vector<Rect> block_heads(const Canvas& canvas, const Rect& area, const BlockScene& scene,
                              const BlockStage& stage) {
  if (stage.work != BlockWork::attend) return {};
  const Layout layout = layout_of(canvas, panel_content(canvas, area, scene, stage), scene, stage);
  return head_tiles(layout.heads, scene.reader.config().heads);
}

}  // namespace glassformer
