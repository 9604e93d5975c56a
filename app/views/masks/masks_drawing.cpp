#include <algorithm>
#include <cmath>
#include <memory>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kWidestChip = 160;

TextStyle heading_style(const Canvas& canvas) {
  return {.font = Font::semibold, .size = 14, .color = canvas.theme().ink};
}

float gap_of(float cell) {
  return cell >= 10 ? 1.0f : 0.0f;
}

Rect cell_rect(const Rect& map, float cell, int row, int column) {
  const float gap = gap_of(cell);
  return {map.x + static_cast<float>(column) * cell, map.y + static_cast<float>(row) * cell, cell - gap,
          cell - gap};
}

// A click on the mask hides one pair more, or shows it again; with Ctrl it pins.
void offer_pair(const MaskScene& scene, const WhatIf& before, int row, int column, HitRegion& hit) {
  Change hide = change_of(ChangeKind::hide_pair);
  hide.block = value_in(scene.shown.kind, 0, ValueKind::whole);
  hide.row = row;
  hide.column = column;
  const bool hidden = std::ranges::find(before.changes, hide) != before.changes.end();
  if (!hidden && !scene.may_look(row, column)) return;
  WhatIf what_if = before;
  what_if.toggle(hide);
  hit.add = std::exchange(hit.click, SetWhatIf{what_if});
  hit.tooltip += hidden ? "\nclick: it may look again" : "\nclick: it may not";
}

}  // namespace

HitRegion pair_hit(const MaskScene& scene, const WhatIf& before, const PairName& name, int row, int column) {
  Selection selection = scene.shown;
  const bool real = row < scene.real_rows && column < scene.real_columns;
  selection.query = row < scene.real_rows ? std::optional<int>(row) : std::nullopt;
  selection.key = column < scene.real_columns ? std::optional<int>(column) : std::nullopt;
  selection.cell.reset();
  if (real)
    selection.cell = CellRef{attention_value(selection.kind, selection.layer, name.value),
                             {selection.sentence, selection.head, row, column}};
  HitRegion hit;
  hit.label = name.what + " query " + std::to_string(row) + " key " + std::to_string(column);
  hit.hover = SetHover{selection};
  hit.click = SetPin{selection};
  hit.menu = hit.click;
  const std::string query = scene.queries[static_cast<size_t>(row)],
                    key = scene.keys[static_cast<size_t>(column)];
  hit.tooltip =
      "“" + query + "” " + (scene.may_look(row, column) ? "may look at" : "does not see") + " “" + key + "”";
  if (name.value == ValueKind::masked_scores && real && scene.shown.sentence == 0)
    offer_pair(scene, before, row, column, hit);
  return hit;
}

namespace {

// Cells are asked about after the drawing, so they keep their own scene.
void live_cells(Canvas& canvas, const MaskLayout& layout, const Rect& map, const MaskScene& scene,
                const PairName& name) {
  const auto kept = std::make_shared<const MaskScene>(scene);
  const float width = layout.cell * static_cast<float>(scene.columns),
              height = layout.cell * static_cast<float>(scene.rows);
  canvas.hit_grid({.rect = {map.x, map.y, width, height},
                   .rows = scene.rows,
                   .columns = scene.columns,
                   .cell = [kept, name, before = scene.input.result.scene.what_if](int row, int column) {
                     return pair_hit(*kept, before, name, row, column);
                   }});
}

void draw_batch(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene) {
  const std::vector<BatchRow> rows = batch_rows(scene.input, scene.shown.kind);

  // One size of letters in all rows.
  std::vector<TokenChip> all;
  for (const BatchRow& row : rows)
    for (int i = 0; i < row.real; ++i) all.push_back({.text = row.words[static_cast<size_t>(i)]});
  const int length = rows.empty() ? 0 : static_cast<int>(rows[0].words.size());
  const TokenStripOptions same{.max_width = kWidestChip, .count = length};
  const Rect first{layout.batch.x + kMaskLabelWidth, layout.batch.y, layout.batch.width - kMaskLabelWidth,
                   48};
  const float letters = chip_text_size(canvas, all, layout_token_strip(first, {}, same).chip_width);
  for (size_t i = 0; i < rows.size(); ++i) {
    const int sentence = static_cast<int>(i);
    std::vector<TokenChip> chips;
    for (size_t column = 0; column < rows[i].words.size(); ++column) {
      TokenChip& chip = chips.emplace_back();
      chip.text = rows[i].words[column];
      chip.padding = static_cast<int>(column) >= rows[i].real;
      chip.special = !chip.padding && is_special_word(chip.text);
      const bool key = sentence == scene.shown.sentence && scene.shown.key == static_cast<int>(column);
      if (key) chip.pin = ChipPin::key;
    }
    TokenStripOptions options;
    options.label = "";
    options.positions = i == 0;
    options.chip_height = layout.chip_height;
    options.max_width = kWidestChip;
    options.text_size = letters;
    options.hit = [&, sentence](int column) {
      Selection selection = scene.shown;
      selection.sentence = sentence;
      selection.query.reset();
      selection.key.reset();
      selection.cell.reset();
      HitRegion hit;
      hit.label = "batch row " + std::to_string(sentence) + " token " + std::to_string(column);
      hit.click = SetPin{selection};
      hit.menu = hit.click;
      return hit;
    };
    const float top = layout.batch.y + 20 + static_cast<float>(i) * layout.chip_pitch;
    const Rect strip{layout.batch.x + kMaskLabelWidth, i == 0 ? top - 20 : top,
                     layout.batch.width - kMaskLabelWidth, layout.chip_height + (i == 0 ? 20.0f : 0.0f)};
    const TokenStripLayout drawn = draw_token_strip(canvas, strip, chips, options);
    const bool open = sentence == scene.shown.sentence;
    const float middle = drawn.first.y + drawn.chip_height / 2;
    TextStyle label = caption_style(canvas);
    if (open) label = {.font = Font::semibold, .size = 12, .color = canvas.theme().ink};
    canvas.text({layout.batch.x + 4, middle}, "row " + std::to_string(sentence), label);
    if (open && rows.size() > 1)
      canvas.rectangle(
          {layout.batch.x - 8, drawn.first.y - 3, layout.batch.width + 16, drawn.chip_height + 6},
          {.outline = canvas.theme().ink, .outline_width = 2, .radius = 8});
  }
}

// Words of the rows left of a panel, its key indices below, and the badges of both axes.
void draw_axes(Canvas& canvas, const MaskLayout& layout, const Rect& map, const MaskScene& scene,
               bool words) {
  const Theme& theme = canvas.theme();
  TextStyle style = caption_style(canvas);
  style.x = AlignX::right;
  const int step = std::max(1, static_cast<int>(std::ceil(13 / layout.cell)));
  if (words) {
    for (int row = 0; row < scene.rows; row += step) {
      const bool pinned = scene.shown.query == row;
      style.color = pinned ? theme.query : theme.second_text;
      style.font = pinned ? Font::semibold : Font::regular;
      const float y = map.y + (static_cast<float>(row) + 0.5f) * layout.cell;
      canvas.text({map.x - 10, y},
                  elided(canvas, scene.queries[static_cast<size_t>(row)], style, kMaskLabelWidth - 10),
                  style);
    }
    draw_badge(canvas, {layout.batch.x + 9, map.y - 14}, Badge::query);
    canvas.text({layout.batch.x + 24, map.y - 14}, "query", caption_style(canvas));
    const Point key{map.x - 56, map.bottom() + 11};
    draw_badge(canvas, {key.x + 6, key.y}, Badge::key, 16);
    canvas.text({key.x + 20, key.y}, "key", caption_style(canvas));
  }
  TextStyle mono = index_style(canvas);
  mono.x = AlignX::center;
  const int index_step =
      std::max(1, static_cast<int>(std::ceil((scene.columns > 10 ? 18 : 11) / layout.cell)));
  for (int column = 0; column < scene.columns; column += index_step)
    canvas.text({map.x + (static_cast<float>(column) + 0.5f) * layout.cell - gap_of(layout.cell) / 2,
                 map.bottom() + 11},
                std::to_string(column), mono);
}

// Cells in these colours, hatched where there is none. Those without gaps are one grid, behind which a file
// has no light lines.
template <class ColorOf>
void draw_cells(Canvas& canvas, const MaskLayout& layout, const Rect& map, int rows, int columns,
                ColorOf color_of) {
  const bool touching = gap_of(layout.cell) == 0;
  std::vector<Color> colors;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const Color color = color_of(row, column);
      colors.push_back(color.visible() ? color : canvas.theme().panel);
      if (!touching && color.visible())
        canvas.rectangle(cell_rect(map, layout.cell, row, column), {.fill = color});
    }
  }
  if (touching && !colors.empty())
    canvas.grid(
        {map.x, map.y, layout.cell * static_cast<float>(columns), layout.cell * static_cast<float>(rows)},
        rows, columns, colors);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      if (!color_of(row, column).visible()) draw_hatched(canvas, cell_rect(map, layout.cell, row, column));
}

template <class MayLook>
void draw_mask(Canvas& canvas, const MaskLayout& layout, const Rect& map, const MaskScene& scene,
               const std::string& name, MayLook may_look) {
  const Theme& theme = canvas.theme();
  draw_cells(canvas, layout, map, scene.rows, scene.columns,
             [&](int row, int column) { return may_look(row, column) ? theme.control : Color{}; });
  live_cells(canvas, layout, map, scene, {name, ValueKind::masked_scores});
  canvas.rectangle(
      {map.x - 1, map.y - 1, map.width + 2 - gap_of(layout.cell), map.height + 2 - gap_of(layout.cell)},
      {.outline = theme.control});
}

void draw_table(Canvas& canvas, const MaskLayout& layout, const Rect& map, const MaskScene& scene,
                const AttentionTable& table, const PairName& name) {
  const bool scores = name.value == ValueKind::scores;
  const double limit = scores ? scene.scores_end : 1.0;
  const ColorScale scale = scores ? ColorScale::signed_value : ColorScale::weight;
  draw_cells(canvas, layout, map, table.rows, table.columns, [&](int row, int column) {
    if (row == scene.covered) return canvas.theme().sunken;
    if (table.is_hidden(row, column)) return Color{};
    return value_color(scale, table.at(row, column), limit, canvas.theme());
  });
  live_cells(canvas, layout, map, scene, name);
  if (scene.shown.query && scene.shown.key)
    canvas.rectangle(cell_rect(map, layout.cell, *scene.shown.query, *scene.shown.key),
                     {.outline = canvas.theme().ink, .outline_width = 3});
}

void draw_between(Canvas& canvas, const Rect& left, const Rect& right, std::string_view sign) {
  const Point middle{(left.right() + right.x) / 2, left.center().y};
  canvas.text(
      middle, sign,
      {.size = sign.size() > 1 ? 14.0f : 18.0f, .color = canvas.theme().second_text, .x = AlignX::center});
}

void draw_weights_arrow(Canvas& canvas, const Rect& left, const Rect& right, const std::string& by) {
  const float from = left.right() + 10, to = right.x - 12, y = left.center().y;
  if (to - from < 16) return;
  TextStyle style = caption_style(canvas);
  style.x = AlignX::center;
  const float middle = (from + to) / 2;
  if (canvas.measure(by, style).x < right.x - left.right() - 8) {
    canvas.text({middle, y - 18}, "mask,", style);
    canvas.text({middle, y + 18}, by, style);
  }
  draw_arrow(canvas, {from, y}, {to, y}, {canvas.theme().second_text, 1.5f});
}

// How the colours of the scores end, and that they do so on both sides.
void draw_scale(Canvas& canvas, const Rect& line, const MaskScene& scene) {
  const TextStyle mono{.font = Font::mono, .size = 12}, caption = caption_style(canvas);
  constexpr float kBar = 44, kGap = 6;
  const float low = canvas.measure(format_short(-scene.scores_end), mono).x + kGap,
              high = canvas.measure(format_short(scene.scores_end), mono).x + kGap;
  draw_color_bar_across(canvas, {line.x + low, line.center().y - 5, kBar, 10}, ColorScale::signed_value,
                        scene.scores_end);
  const float x = line.x + low + kBar + high + 2 * kGap;
  canvas.text({x, line.center().y}, elided(canvas, kOneScale, caption, line.right() - x), caption);
}

}  // namespace

void draw_leak_outline(Canvas& canvas, Point cell, const Rect& map, const MaskScene& scene) {
  const auto corner = [&](int column, int row) {
    return Point{map.x + static_cast<float>(column) * cell.x - 0.5f,
                 map.y + static_cast<float>(row) * cell.y - 0.5f};
  };
  const Stroke stroke{canvas.theme().reference, 2};
  std::vector<Point> points;
  if (scene.causal) {
    const int n = std::min(scene.real_rows, scene.real_columns);
    if (n < 2) return;
    points = {corner(1, 0), corner(n, 0), corner(n, n - 1)};
    for (int step = n - 1; step >= 1; --step) {
      points.push_back(corner(step, step));
      points.push_back(corner(step, step - 1));
    }
  } else {
    if (scene.real_columns >= scene.columns) return;
    points = {corner(scene.real_columns, 0), corner(scene.columns, 0), corner(scene.columns, scene.real_rows),
              corner(scene.real_columns, scene.real_rows), corner(scene.real_columns, 0)};
  }
  canvas.polyline(points, stroke);
}

void draw_masks(Canvas& canvas, const Rect& area, const MaskScene& scene) {
  const int sentences = static_cast<int>(scene.input.result.trace->source.size());
  const MaskLayout layout = layout_masks(area, scene, sentences);
  const Point cell{layout.cell, layout.cell};
  draw_batch(canvas, layout, scene);

  // The masks: who may look at whom.
  const TextStyle heading = heading_style(canvas);
  const auto title = [&](const Rect& map, std::string_view text, float reserved) {
    const float room = std::max(map.width + 60 - reserved, kMaskTitleWidth);
    canvas.text({map.x, map.y - kMaskHeading + 11}, elided(canvas, text, heading, room), heading);
  };
  title(layout.masks[0], "Padding", 90);
  draw_axes(canvas, layout, layout.masks[0], scene, true);
  draw_mask(canvas, layout, layout.masks[0], scene, "padding mask",
            [&](int, int column) { return !scene.padding_on || column < scene.real_columns; });
  if (scene.causal) {
    title(layout.masks[1], "Causal", 90);
    draw_axes(canvas, layout, layout.masks[1], scene, false);
    draw_mask(canvas, layout, layout.masks[1], scene, "causal mask",
              [&](int row, int column) { return !scene.causal_on || column <= row; });
    title(layout.masks[2], "Combined", 0);
    draw_axes(canvas, layout, layout.masks[2], scene, false);
    draw_mask(canvas, layout, layout.masks[2], scene, "combined mask",
              [&](int row, int column) { return scene.may_look(row, column); });
    draw_between(canvas, layout.masks[0], layout.masks[1], "and");
    draw_between(canvas, layout.masks[1], layout.masks[2], "=");
  }
  draw_mask_text(canvas, layout, scene);

  // What the masks do to the numbers.
  title(layout.tables[0], "Scores, before", 0);
  draw_axes(canvas, layout, layout.tables[0], scene, !layout.one_row);
  draw_table(canvas, layout, layout.tables[0], scene, scene.scores, {"scores", ValueKind::scores});
  const bool relu = scene.input.snapshot.config.attention_activation == AttentionActivation::relu;
  draw_weights_arrow(canvas, layout.tables[0], layout.tables[1], relu ? "ReLU" : "softmax");
  title(layout.tables[1], "Weights, after", 0);
  draw_axes(canvas, layout, layout.tables[1], scene, false);
  draw_table(canvas, layout, layout.tables[1], scene, scene.weights, {"weights", ValueKind::weights});
  if (scene.leaking() == &scene.weights) draw_leak_outline(canvas, cell, layout.tables[1], scene);
  if (scene.compared.rows > 0) {
    const std::string off = scene.compared_is_leak ? "off" : "on";
    const std::string whole = (scene.causal ? "Causal mask " : "Padding mask ") + off;
    const bool fits = layout.tables[2].x + canvas.measure(whole, heading).x <= layout.batch.right();
    title(layout.tables[2], fits ? whole : "Mask " + off, 0);
    draw_axes(canvas, layout, layout.tables[2], scene, false);
    draw_table(canvas, layout, layout.tables[2], scene, scene.compared,
               {"compared weights", ValueKind::weights});
    if (scene.leaking() == &scene.compared) draw_leak_outline(canvas, cell, layout.tables[2], scene);
  }
  draw_leak_text(canvas, layout, scene);
  if (layout.scale.width > 0) draw_scale(canvas, layout.scale, scene);
}

}  // namespace glassformer
