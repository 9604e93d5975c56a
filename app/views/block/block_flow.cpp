#include "app/views/block/block.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/heatmap.h"
#include "engine/analysis/statistics.h"
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
    draw_step_name(canvas, {rect.center().x, rect.y - 14}, flow.pitch - 4, i + 1,
                   scene.short_name(scene.at(i)), i == current, theme.second_text);
  }
}

// The activation of a feed-forward network, unit by unit.
namespace {

constexpr float kBars = 30, kUnitsFoot = 20, kGaps = 8;

struct UnitBars {
  Rect track;  // over all units, as high as a unit that fires for every word
  const MatrixNumbers& hidden;
  const std::vector<UnitActivity>& units;
  int words = 0;

  const UnitActivity& at(int column) const {
    return units[static_cast<std::size_t>(hidden.columns.places[static_cast<std::size_t>(column)])];
  }
};

// A hover on a unit looks at it where it fires most.
std::function<HitRegion(int)> unit_hits(const BlockScene& scene, const UnitBars& bars,
                                        const Operand& hidden) {
  struct Kept {
    MatrixAxis columns;
    std::vector<UnitActivity> units;
    std::vector<std::string> words;
    std::optional<CellRef> first;
    Selection pinned;
  };
  auto kept =
      std::make_shared<const Kept>(Kept{bars.hidden.columns, bars.units, scene.reader.words(hidden, false),
                                        scene.reader.cell(hidden, 0, 0), scene.reader.input().pinned});
  return [kept](int column) {
    const int unit = kept->columns.places[static_cast<std::size_t>(column)];
    const UnitActivity& activity = kept->units[static_cast<std::size_t>(unit)];
    HitRegion hit;
    hit.label = "unit " + std::to_string(unit);
    hit.tooltip = "Unit " + std::to_string(unit) + " fires for " + std::to_string(activity.firing) + " of " +
                  std::to_string(kept->words.size()) + " words";
    if (activity.strongest >= 0)
      hit.tooltip += "\nmost for “" + kept->words[static_cast<std::size_t>(activity.strongest)] + "”";
    CellRef cell = *kept->first;
    cell.index[1] = std::max(0, activity.strongest);
    cell.index[2] = unit;
    const Selection selection = selecting(kept->pinned, cell);
    hit.hover = SetHover{selection};
    hit.click = SetPin{selection};
    return hit;
  };
}

void draw_unit_bars(Canvas& canvas, const MatrixPlace& place, const UnitBars& bars,
                    const std::optional<int>& lit) {
  const Theme& theme = canvas.theme();
  const Rect& track = bars.track;
  canvas.rectangle(track, {.fill = theme.sunken});
  for (int column = 0; column < bars.hidden.columns.count(); ++column) {
    const int firing = bars.at(column).firing;
    const float height =
        std::round(track.height * static_cast<float>(firing) / static_cast<float>(std::max(1, bars.words)));
    if (height <= 0) continue;
    const Rect cell = place.cell(0, column);
    canvas.rectangle({cell.x, track.bottom() - height, cell.width, height},
                     {.fill = lit == column ? theme.ink : theme.second_text});
  }
  TextStyle scale = index_style(canvas);
  scale.size = 11;
  scale.x = AlignX::right;
  canvas.text({track.x - 8, track.y + 5}, std::to_string(bars.words), scale);
  canvas.text({track.x - 8, track.bottom() - 5}, "0", scale);
}

}  // namespace

void draw_units(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage,
                std::vector<OperandPart> parts) {
  for (OperandPart& part : parts) part.read(scene.reader, area.width - 110);
  OperandPart& result = parts.back();
  const MatrixNumbers& first = parts.front().matrix;
  const float labels = matrix_label_width(canvas, first);
  // The same units in all: those around the one that is pinned.
  if (scene.pinned && first.columns.break_after >= 0) {
    const auto pinned = std::ranges::find_if(
        parts, [&](const OperandPart& part) { return part.operand.name == scene.pinned->name; });
    const MatrixNumbers& leading = pinned == parts.end() ? first : pinned->matrix;
    const MatrixAxis rows = leading.rows, columns = leading.columns;
    for (OperandPart& part : parts)
      part.matrix = operand_matrix(scene.reader, part.operand, false, rows, columns);
  }
  share_limit(parts);
  set_looks(canvas, scene, stage, parts);

  // What fires is what counts: its rows are the higher ones, with their words where these fit. Where it is
  // low they alone have the room.
  constexpr float kLow = 300;
  const bool fires = stage.work == BlockWork::activate;
  const std::vector<UnitActivity> units = unit_activity(scene, stage);
  const int words = result.matrix.rows.total;
  const TextStyle caption = caption_style(canvas);
  const std::string firing = firing_words(firing_summary(units, words), static_cast<int>(units.size()));
  const bool low = area.height < kLow, labelled = canvas.measure(firing, caption).x <= area.width - labels;
  const float below = !fires ? 0 : low ? (labelled ? kUnitsFoot : 0) : kBars + kUnitsFoot;
  const auto before_last = static_cast<float>(parts.size() - 1);
  const float room =
      area.height - (before_last + 1) * kPartTitle - kMatrixLabels - before_last * kGaps - below;
  const float share = !fires ? 1 / (before_last + 1) : low ? 0.82f : 0.64f;
  const float across = pitch_for(area.width - labels, first.columns, 24);
  const Point after{across, pitch_for(room * share, result.matrix.rows, 22)};
  const float left = area.x + labels, right = area.right();
  const Point before{
      across, pitch_for((room - matrix_size(result.matrix, after).y) / before_last, first.rows, after.y)};
  float y = area.y + kPartTitle + kMatrixLabels;
  for (OperandPart& part : parts) {
    const bool on_top = &part == &parts.front();
    part.draw_title(canvas, {left, on_top ? area.y + 10 : y - kPartTitle + 10}, right - left);
    part.look.column_labels = on_top;
    if (&part == &result) break;
    part.look.row_labels = before.y >= 14;
    draw_matrix(canvas, {left, y}, before, part.matrix, part.look);
    y += matrix_size(part.matrix, before).y + kGaps / 2 + kPartTitle;
  }
  const MatrixPlace place = draw_matrix(canvas, {left, y}, after, result.matrix, result.look);
  y += matrix_size(result.matrix, after).y + kGaps / 2;

  // Of a difference each side's own units fire.
  if (!fires || scene.reader.input().difference_to) return;
  const UnitBars bars{{left, y, place.cells.width, kBars}, result.matrix, units, words};
  if (low && labelled) canvas.text({left, y + 12}, firing, caption);
  if (low) return;
  draw_unit_bars(canvas, place, bars, result.look.lit_column);
  // A break divides the hits as it divides the bars.
  const MatrixAxis& columns = result.matrix.columns;
  const auto hit = unit_hits(scene, bars, result.operand);
  const int before_break = columns.break_after < 0 ? columns.count() : columns.break_after + 1;
  const auto part = [&](int from, int count) {
    if (count <= 0) return;
    canvas.hit_grid({.rect = {place.cell(0, from).x, y, static_cast<float>(count) * across, kBars},
                     .rows = 1,
                     .columns = count,
                     .cell = [hit, from](int, int column) { return hit(from + column); }});
  };
  part(0, before_break);
  part(before_break, columns.count() - before_break);
  y += kBars;
  canvas.text({left, y + 12},
              elided(canvas, "Words that each unit fires for. " + firing, caption, right - left), caption);
}

}  // namespace glassformer
