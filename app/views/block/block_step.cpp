#include "app/views/block/block.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/difference.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/bars.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kFoot = 20, kStrip = 14;
constexpr float kBarsWidth = 108, kTileGap = 8;
constexpr float kIntoHeads = 28;  // the arrow before them

float heads_width(const Rect& area) {
  return std::clamp(area.width * 0.15f, 96.0f, 190.0f);
}

// γ and, of a LayerNorm, β under the result.
bool has_gains(const BlockStage& stage, const Rect& area) {
  return stage.work == BlockWork::norm && area.height > 190;
}

void place_row(const Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage,
               OperandRow& row) {
  // Mean and deviation are before the norm they make, the change of the sum at its end.
  const RowRoom bars{.width = static_cast<float>(row_bars(scene, stage).size()) * kBarsWidth, .lead = 16};
  if (stage.work == BlockWork::norm) row.parts.back().room = bars;
  if (stage.work == BlockWork::add) row.behind = bars, row.one_scale = true, row.foot = kFoot + 4;
  if (stage.work == BlockWork::attend)
    row.parts[row.parts.size() - 2].room = {kIntoHeads + heads_width(area), kIntoHeads};
  if (has_gains(stage, area)) row.foot = 2 * kStrip + 12;
  row.place(canvas, area, scene.reader);
}

// The heads of an attending stage, before what they bring together.
Rect heads_of(const OperandRow& row, const Rect& area) {
  return {row.parts[row.parts.size() - 2].room.x, row.top, heads_width(area), row.bottom - row.top};
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
void draw_gains(Canvas& canvas, const OperandRow& row, const BlockScene& scene, const BlockStage& stage) {
  const OperandPart& result = row.parts.back();
  float y = row.bottom + 8;
  for (std::size_t i = 1; i < stage.step->inputs.size(); ++i) {
    const Operand& operand = stage.step->inputs[i];
    const MatrixNumbers strip = operand_matrix(scene.reader, operand, false,
                                               scene.reader.axis(operand, false), result.matrix.columns);
    MatrixLook look;
    look.row_labels = look.column_labels = false;
    look.hit = operand_hits(scene.reader, operand, strip, false, "block " + operand.symbol);
    draw_matrix(canvas, {result.x, y}, {result.pitch, kStrip - 2}, strip, look);
    draw_formula(canvas, {result.x - 16, y + kStrip / 2 - 1}, walk_formula(operand.symbol),
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

void draw_heads(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const Theme& theme = canvas.theme();
  const ViewInput& input = scene.reader.input();
  const AttentionKind kind = scene.kind(stage);
  const std::vector<Rect> tiles = head_tiles(area, scene.reader.config().heads);
  const float title = area.y - kMatrixLabels - kPartTitle + 10;
  draw_formula(canvas, {area.x, title}, walk_formula("A"), {.size = 14, .color = theme.ink});
  TextStyle note = caption_style(canvas);
  canvas.text({area.x, area.y - 10},
              elided(canvas, std::to_string(tiles.size()) + (tiles.size() == 1 ? " head" : " heads"), note,
                     area.width),
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

void draw_numbers(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage,
                  OperandRow row) {
  if (stage.work == BlockWork::activate || stage.work == BlockWork::gate)
    return draw_units(canvas, area, scene, stage, std::move(row.parts));
  place_row(canvas, area, scene, stage, row);
  set_looks(canvas, scene, stage, row.parts);
  row.draw(canvas, area.right());
  if (stage.work == BlockWork::attend) {
    const Rect heads = heads_of(row, area);
    draw_sign(canvas, {heads.x - kIntoHeads, heads.y, kIntoHeads, heads.height}, " ");
    draw_heads(canvas, heads, scene, stage);
  }
  const bool adds = stage.work == BlockWork::add;
  float x = adds ? row.behind.x : row.parts.back().room.x;
  for (const RowBars& bars : row_bars(scene, stage)) {
    const float height = row.pitch * static_cast<float>(bars.values.size());
    draw_row_bars(canvas, {x, row.top, kBarsWidth - 20, height}, scene, bars);
    x += kBarsWidth;
  }
  if (has_gains(stage, area)) draw_gains(canvas, row, scene, stage);
  if (!adds || row.behind.width <= 0) return;
  const TextStyle caption = caption_style(canvas);
  const float left = row.parts.front().x;
  canvas.text({left, row.bottom + 14},
              elided(canvas, "Change: how long the row that is added is beside the row of the stream.",
                     caption, area.right() - left),
              caption);
}

}  // namespace

void draw_block_step(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const OperandRow row = block_row(scene, stage);
  row.draw_panel(canvas, area);
  draw_numbers(canvas, row.content(canvas, area), scene, stage, row);
}

void draw_block_part(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  constexpr float kName = 28;
  const OperandRow row = block_row(scene, stage);
  row.draw_name(canvas, {area.x, area.y + 10}, area.right());
  draw_numbers(canvas, {area.x, area.y + kName, area.width, area.height - kName}, scene, stage, row);
}

std::vector<Rect> block_heads(const Canvas& canvas, const Rect& area, const BlockScene& scene,
                              const BlockStage& stage) {
  if (stage.work != BlockWork::attend) return {};
  OperandRow row = block_row(scene, stage);
  const Rect content = row.content(canvas, area);
  place_row(canvas, content, scene, stage, row);
  return head_tiles(heads_of(row, content), scene.reader.config().heads);
}

}  // namespace glassformer
