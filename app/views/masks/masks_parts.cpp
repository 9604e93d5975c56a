// One mask, or the weights behind it, as a picture alone.
#include <memory>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks_picture.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

namespace {

constexpr float kMaskLine = 16, kMaskLineGap = 10;

// The rows of the sentence, and where the padding is what is hidden its columns too.
AttentionTable words_alone(const MaskScene& scene) {
  AttentionTable part{.rows = scene.real_rows,
                      .columns = scene.causal ? scene.real_columns : scene.columns,
                      .values = {},
                      .hidden = {}};
  for (int row = 0; row < part.rows; ++row)
    for (int column = 0; column < part.columns; ++column) {
      part.values.push_back(scene.weights.at(row, column));
      part.hidden.push_back(scene.may_look(row, column) ? 0 : 1);
    }
  return part;
}

HeatmapOptions part_options(const MaskScene& scene, bool weights) {
  HeatmapOptions options;
  options.row_title = {Badge::query, "query", ""};
  options.column_title = {Badge::key, "key", ""};
  options.row_labels = {scene.queries.begin(), scene.queries.begin() + scene.real_rows};
  options.column_labels = scene.keys;
  options.numbers = weights;
  options.color_bar = false;
  options.frame = true;
  options.max_aspect = 3;
  options.pinned_row = scene.shown.query;
  options.pinned_column = scene.shown.key;
  const PairName name{weights        ? "weights"
                      : scene.causal ? "combined mask"
                                     : "padding mask",
                      weights ? ValueKind::weights : ValueKind::masked_scores};
  options.cell_hit = [kept = std::make_shared<const MaskScene>(scene), name,
                      before = scene.input.result.scene.what_if](int row, int column) {
    return pair_hit(*kept, before, name, row, column);
  };
  return options;
}

std::string weights_line(const MaskScene& scene) {
  if (scene.leaking() == &scene.weights)
    return "The leak, outlined: " + format_percent(leaked_share(scene, scene.weights)) + " " +
           leak_words(scene) + ".";
  return "Layer " + std::to_string(scene.shown.layer + 1) + ", head " + std::to_string(scene.shown.head + 1) +
         ". Hatched: hidden by the mask.";
}

}  // namespace

void draw_mask_part(Canvas& canvas, const Rect& area, const MaskScene& scene, bool weights) {
  const Theme& theme = canvas.theme();
  const std::string line = weights ? weights_line(scene) : "";
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  const bool two = canvas.measure(line, style).x > area.width;
  const float below = kMaskLineGap + kMaskLine * (two ? 2 : 1);
  AttentionTable table = words_alone(scene);
  if (weights && scene.covered) table.cover(*scene.covered);
  HeatmapOptions options = part_options(scene, weights);
  options.column_labels.resize(static_cast<std::size_t>(table.columns));
  const HeatmapLayout drawn =
      draw_heatmap(canvas, {area.x, area.y, area.width, area.height - below}, table.data(), options);
  for (int row = 0; row < table.rows; ++row)
    for (int column = 0; column < table.columns; ++column) {
      const Rect cell = drawn.cell(row, column);
      if (weights && row == scene.covered) {
        canvas.rectangle(cell, {.fill = theme.sunken});
        canvas.text(cell.center(), "?", {.size = 12, .color = theme.second_text, .x = AlignX::center});
      } else if (!weights && scene.may_look(row, column)) {
        canvas.rectangle(cell, {.fill = theme.control});
      }
    }
  // What was drawn over it.
  if (scene.shown.query && *scene.shown.query < table.rows) {
    const Rect first = drawn.cell(*scene.shown.query, 0);
    canvas.rectangle({first.x - 2, first.y - 2, drawn.cells.width + 4, first.height + 4},
                     {.outline = theme.query, .outline_width = 2, .radius = 2});
  }
  const float y = drawn.bounds.bottom() + kMaskLineGap;
  if (!weights) {
    MaskLayout layout;
    layout.side_text = false;
    layout.mask_text = {drawn.cells.x, y, area.right() - drawn.cells.x, kMaskLine};
    return draw_mask_text(canvas, layout, scene);
  }
  if (scene.leaking() == &scene.weights)
    draw_leak_outline(canvas, {drawn.cell_width, drawn.cell_height}, drawn.cells, scene);
  paragraph(canvas, {area.x, y}, area.width, line, style);
}

}  // namespace glassformer
