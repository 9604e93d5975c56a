// The activation of a feed-forward network, unit by unit.
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/views/block/block_parts.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

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

void draw_units(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage) {
  const std::vector<BlockPart> parts = block_parts(scene, stage);
  std::vector<MatrixNumbers> matrices;
  for (const BlockPart& part : parts) matrices.push_back(part_numbers(scene, part, area.width - 110));
  const float labels = matrix_label_width(canvas, matrices[0]);
  // The same units in both: those around the one that is pinned.
  if (scene.pinned && matrices[0].columns.break_after >= 0) {
    const bool of_hidden = scene.pinned->name == parts[1].operand.name;
    const MatrixNumbers& leading = matrices[of_hidden ? 1 : 0];
    const MatrixAxis rows = leading.rows, columns = leading.columns;
    matrices[of_hidden ? 0 : 1] =
        operand_matrix(scene.reader, parts[of_hidden ? 0 : 1].operand, false, rows, columns);
  }
  share_limit(matrices);

  // What fires is what counts: its rows are the higher ones, with their words where these fit. Where it is
  // low they alone have the room.
  constexpr float kLow = 300;
  const std::vector<UnitActivity> units = unit_activity(scene, stage);
  const int words = matrices[1].rows.total;
  const TextStyle caption = caption_style(canvas);
  const std::string firing = firing_words(firing_summary(units, words), static_cast<int>(units.size()));
  const bool low = area.height < kLow, told = canvas.measure(firing, caption).x <= area.width - labels;
  const float below = low ? (told ? kUnitsFoot : 0) : kBars + kUnitsFoot;
  const float room = area.height - 2 * kPartTitle - kMatrixLabels - kGaps - below;
  const float across = pitch_for(area.width - labels, matrices[0].columns, 24);
  const Point after{across, pitch_for(room * (low ? 0.82f : 0.64f), matrices[1].rows, 22)};
  const float left = area.x + labels, right = area.right();
  const Point before{across, pitch_for(room - matrix_size(matrices[1], after).y, matrices[0].rows, after.y)};
  float y = area.y + kPartTitle + kMatrixLabels;
  draw_part_title(canvas, {left, area.y + 10}, right - left, parts[0], matrices[0]);
  MatrixLook look = part_look(canvas, scene, parts, parts[0], matrices[0]);
  look.row_labels = before.y >= 14;
  draw_matrix(canvas, {left, y}, before, matrices[0], look);
  y += matrix_size(matrices[0], before).y + kGaps / 2;
  draw_part_title(canvas, {left, y + 10}, right - left, parts[1], matrices[1]);
  y += kPartTitle;
  look = part_look(canvas, scene, parts, parts[1], matrices[1]);
  look.column_labels = false;
  const MatrixPlace place = draw_matrix(canvas, {left, y}, after, matrices[1], look);
  y += matrix_size(matrices[1], after).y + kGaps / 2;

  if (scene.reader.input().difference_to) return;  // each side's own units fire
  const UnitBars bars{{left, y, place.cells.width, kBars}, matrices[1], units, words};
  if (low && told) canvas.text({left, y + 12}, firing, caption);
  if (low) return;
  draw_unit_bars(canvas, place, bars, look.lit_column);
  // A break divides the hits as it divides the bars.
  const MatrixAxis& columns = matrices[1].columns;
  const auto hit = unit_hits(scene, bars, parts[1].operand);
  const int first = columns.break_after < 0 ? columns.count() : columns.break_after + 1;
  const auto part = [&](int from, int count) {
    if (count <= 0) return;
    canvas.hit_grid({.rect = {place.cell(0, from).x, y, static_cast<float>(count) * across, kBars},
                     .rows = 1,
                     .columns = count,
                     .cell = [hit, from](int, int column) { return hit(from + column); }});
  };
  part(0, first);
  part(first, columns.count() - first);
  y += kBars;
  canvas.text({left, y + 12},
              elided(canvas, "Words that each unit fires for. " + firing, caption, right - left), caption);
}

}  // namespace glassformer
