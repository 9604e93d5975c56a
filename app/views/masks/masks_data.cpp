#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

std::vector<std::string> padded(std::vector<std::string> words, int length) {
  words.resize(static_cast<size_t>(std::max(length, 0)), "<pad>");
  return words;
}

int longest(const std::vector<std::vector<int>>& rows) {
  size_t length = 0;
  for (const std::vector<int>& row : rows) length = std::max(length, row.size());
  return static_cast<int>(length);
}

}  // namespace

std::shared_ptr<const Trace> with_causal_mask(const SceneResult& result) {
  return result.scene.what_if.has(ChangeKind::causal_mask_off) ? result.untouched : result.trace;
}

std::shared_ptr<const Trace> without_causal_mask(const SceneResult& result) {
  return result.scene.what_if.has(ChangeKind::causal_mask_off) ? result.trace : result.unmasked;
}

MaskScene mask_scene(const ViewInput& input, const Selection& chosen) {
  MaskScene scene{.input = input,
                  .shown = within(chosen, input),
                  .queries = {},
                  .keys = {},
                  .scores = {},
                  .weights = {},
                  .compared = {},
                  .covered = {}};
  scene.shown.head = std::max(scene.shown.head, 0);
  const Selection& at = scene.shown;
  scene.covered = covered_row(input.covered, at.kind, at.layer, at.head, at.sentence);
  const SceneResult& result = input.result;
  const WhatIf& what_if = result.scene.what_if;
  scene.causal = at.kind == AttentionKind::decoder;
  scene.causal_on = scene.causal && !what_if.has(ChangeKind::causal_mask_off);
  scene.padding_on = !what_if.padding_seen(at.kind);

  const auto table = [&](const Trace& trace, ValueKind part) {
    return padded_attention_table(trace, at.kind, at.layer, at.head, at.sentence, part);
  };
  scene.scores = table(*result.trace, ValueKind::scores);
  scene.weights = table(*result.trace, ValueKind::weights);
  double largest = 0;
  for (const ViewInput& each : sharing_inputs(input)) {
    const Selection there = within(scene.shown, each);
    const AttentionTable scores = padded_attention_table(*each.result.trace, there.kind, there.layer,
                                                         there.head, there.sentence, ValueKind::scores);
    largest = std::max(largest, largest_magnitude(scores.data()));
  }
  scene.scores_end = round_limit(largest);
  if (scene.causal) {
    scene.compared_is_leak = scene.causal_on;
    const std::shared_ptr<const Trace> other =
        scene.causal_on ? without_causal_mask(result) : with_causal_mask(result);
    if (other) scene.compared = table(*other, ValueKind::weights);
  } else if (!scene.padding_on) {
    scene.compared_is_leak = false;
    scene.compared = table(*result.untouched, ValueKind::weights);
  }

  scene.rows = scene.weights.rows;
  scene.columns = scene.weights.columns;
  scene.queries = query_words(input, at.kind, at.sentence);
  scene.keys = key_words(input, at.kind, at.sentence);
  scene.real_rows = std::min(static_cast<int>(scene.queries.size()), scene.rows);
  scene.real_columns = std::min(static_cast<int>(scene.keys.size()), scene.columns);
  scene.queries = padded(scene.queries, scene.rows);
  scene.keys = padded(scene.keys, scene.columns);
  // A lesson may name a row that the sentence does not have.
  if (scene.covered && (*scene.covered < 0 || *scene.covered >= scene.rows)) scene.covered.reset();
  return scene;
}

const AttentionTable* MaskScene::leaking() const {
  if (causal && !causal_on) return &weights;
  if (!causal && !padding_on) return &weights;
  return causal && compared.rows > 0 ? &compared : nullptr;
}

double leaked_share(const MaskScene& scene, const AttentionTable& weights) {
  double leaked = 0, all = 0;
  for (int row = 0; row < scene.real_rows; ++row) {
    for (int column = 0; column < weights.columns; ++column) {
      const bool future = scene.causal && column > row && column < scene.real_columns;
      const bool padding = !scene.causal && column >= scene.real_columns;
      all += weights.at(row, column);
      if (future || padding) leaked += weights.at(row, column);
    }
  }
  return all > 0 ? leaked / all : 0;
}

std::vector<BatchRow> batch_rows(const ViewInput& input, AttentionKind kind) {
  const Trace& trace = *input.result.trace;
  const int length = longest(kind == AttentionKind::decoder ? trace.target_in : trace.source);
  std::vector<BatchRow> rows;
  for (int sentence = 0; sentence < static_cast<int>(trace.source.size()); ++sentence) {
    BatchRow& row = rows.emplace_back();
    row.words = key_words(input, kind, sentence);
    row.real = static_cast<int>(row.words.size());
    row.words = padded(row.words, length);
  }
  return rows;
}

namespace {

constexpr float kIndexHeight = 20;
constexpr float kWideGap = 64, kNarrowGap = 36, kSmallestCell = 3;
constexpr float kSideText = 232, kNarrowArea = 800;

// The width that three panels of so many columns need at the least.
float narrowest_masks(int columns) {
  return 2 * kStagePadding + kMaskLabelWidth + 8 + 2 * kNarrowGap +
         3 * kSmallestCell * static_cast<float>(columns);
}

}  // namespace

Point masks_minimum(const MaskScene& scene) {
  const auto sentences = static_cast<float>(scene.input.result.trace->source.size());
  const float smallest_cell = scene.rows > 16 ? 5 : 10;
  return {std::max(440.0f, narrowest_masks(scene.columns)),
          44 + 20 + sentences * 27 + 2 * (smallest_cell * static_cast<float>(scene.rows) + 78) +
              (scene.input.other ? 56 : 32)};
}

MaskLayout layout_masks(const Rect& area, const MaskScene& scene, int sentences) {
  MaskLayout layout;
  layout.subtitle = area.height >= kMasksSubtitleFrom;
  // One mask alone is in one row with what it does to the numbers.
  layout.one_row = !scene.causal && scene.compared.rows == 0;
  const Rect content = stage_content(area, layout.subtitle);
  const int columns = std::max(scene.columns, 1), rows = std::max(scene.rows, 1);
  const float narrowest =
      kMaskLabelWidth + 8 + 2 * kWideGap + 3 * kSmallestCell * static_cast<float>(columns);
  layout.side_text = area.width >= kNarrowArea && content.width - kSideText - 24 >= narrowest;
  if (!layout.subtitle) {
    layout.chip_pitch = 27;
    layout.chip_height = 21;
  }
  const float batch_height = 20 + static_cast<float>(sentences) * layout.chip_pitch;
  layout.batch = {content.x, content.y, content.width, batch_height};

  // Cells: as large as three panels, their gaps and two rows of panels allow.
  const float text_line = layout.side_text ? 0.0f : 24.0f;
  const float side = layout.side_text ? kSideText + 24 : 0;
  const float min_gap = layout.side_text ? kWideGap : kNarrowGap;
  const float top = layout.batch.bottom() + 12;
  const float lines = layout.one_row ? 1.0f : 2.0f;
  const float scale_line = scene.input.other ? 24.0f : 0.0f;
  const float panel_space = (content.bottom() - top - scale_line - (layout.one_row ? text_line : 0)) / lines -
                            kMaskHeading - kIndexHeight - text_line - 8;
  const float width_space = (content.width - side - kMaskLabelWidth - 2 * min_gap - 8) / 3;
  layout.cell = std::clamp(
      std::floor(std::min(panel_space / static_cast<float>(rows), width_space / static_cast<float>(columns))),
      kSmallestCell, layout.one_row ? 28.0f : 24.0f);
  const float width = layout.cell * static_cast<float>(columns),
              height = layout.cell * static_cast<float>(rows);
  const float gap = std::min(72.0f, (content.width - side - kMaskLabelWidth - 8 - 3 * width) / 2);

  for (int i = 0; i < 3; ++i) {
    const float x = content.x + kMaskLabelWidth + 8 + static_cast<float>(i) * (width + gap);
    layout.masks[i] = {x, top + kMaskHeading, width, height};
    const float second = layout.masks[i].bottom() + kIndexHeight + text_line + 8 + kMaskHeading;
    layout.tables[i] = {x, second, width, height};
  }
  if (layout.one_row) {
    layout.tables[0] = layout.masks[1];
    layout.tables[1] = layout.masks[2];
  }
  const float text_x = layout.side_text ? layout.masks[2].right() + 44 : content.x + kMaskLabelWidth + 8;
  const float text_width = content.right() - text_x;
  layout.mask_text = {text_x, layout.masks[0].y, text_width, height};
  layout.leak_text = {text_x, layout.tables[0].y, text_width, height};
  if (layout.one_row) layout.leak_text = {text_x, layout.masks[0].y + 112, text_width, 160};
  if (!layout.side_text) {
    layout.mask_text.y = layout.masks[0].bottom() + kIndexHeight + 4;
    layout.leak_text.y = layout.tables[0].bottom() + kIndexHeight + 4 + (layout.one_row ? text_line : 0);
    layout.mask_text.height = layout.leak_text.height = 18;
  }
  if (scale_line > 0) {
    const float above =
        layout.side_text ? layout.tables[0].bottom() + kIndexHeight : layout.leak_text.bottom();
    const float x = content.x + kMaskLabelWidth + 8;
    layout.scale = {x, above + 4, content.right() - x, 18};
  }
  const auto switch_at = [&](const Rect& map) {
    return Rect{std::max(map.right() - 34, map.x + kMaskTitleWidth + 2), map.y - kMaskHeading + 2, 32, 18};
  };
  layout.padding_switch = switch_at(layout.masks[0]);
  layout.causal_switch = switch_at(layout.masks[1]);
  return layout;
}

void draw_mask_text(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect& area = layout.mask_text;
  const TextStyle ink{.size = 12, .color = theme.ink};
  const Rect look{area.x, area.y, 16, 16};
  canvas.rectangle(look, {.fill = theme.control});
  canvas.text({look.right() + 12, look.center().y}, "may look", ink);
  const Rect hide = layout.side_text ? Rect{area.x, area.y + 26, 16, 16} : Rect{area.x + 108, area.y, 16, 16};
  draw_hatched(canvas, hide);
  const bool hides = scene.padding_on || (scene.causal && scene.causal_on);
  const float room = area.right() - hide.right() - 12;
  canvas.text({hide.right() + 12, hide.center().y},
              elided(canvas, hides ? "hidden: the score becomes \u2212∞" : "hidden: nothing, the mask is off",
                     ink, room),
              ink);
  if (!layout.side_text) return;
  const int row = scene.shown.query.value_or(std::min(2, std::max(0, scene.real_rows - 1)));
  int last = -1;
  for (int column = 0; column < scene.columns; ++column)
    if (scene.may_look(row, column)) last = column;
  const std::string sees = last < 0 ? "sees nothing." : "sees positions 0 to " + std::to_string(last) + ".";
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  paragraph(canvas, {area.x, area.y + 56}, area.width,
            "Rows are queries, columns keys. Row " + std::to_string(row) + ", “" +
                scene.queries[static_cast<size_t>(row)] + "”, " + sees,
            style);
}

void draw_leak_text(Canvas& canvas, const MaskLayout& layout, const MaskScene& scene) {
  const Theme& theme = canvas.theme();
  const Rect& area = layout.leak_text;
  const AttentionTable* leaking = scene.leaking();
  const std::string what = leak_words(scene);
  const TextStyle strong{.font = Font::semibold, .size = 14, .color = theme.ink};
  TextStyle caption = caption_style(canvas);
  TextStyle small = caption;
  small.color = theme.reference;

  if (!layout.side_text) {
    const std::string line =
        leaking ? "The leak, outlined: " + format_percent(leaked_share(scene, *leaking)) + " " + what
                : "Switch a mask off to see what leaks.";
    canvas.text({area.x, area.y + 8}, elided(canvas, line, caption, area.width), caption);
    return;
  }
  float y = area.y + 8;
  if (leaking) {
    canvas.text({area.x, y}, "The leak", strong);
    canvas.text({area.x + canvas.measure("The leak", strong).x + 12, y}, "outlined", small);
    y += 18;
    const std::string share = format_percent(leaked_share(scene, *leaking));
    const TextStyle large{.font = Font::semibold, .size = 28, .color = theme.ink};
    const float width = canvas.measure(share, large).x + 14;
    canvas.text({area.x, y + 18}, share, large);
    caption.y = AlignY::top;
    y += std::max(44.0f, paragraph(canvas, {area.x + width, y}, area.width - width, what, caption)) + 14;
  } else {
    caption.y = AlignY::top;
    y += paragraph(canvas, {area.x, area.y}, area.width,
                   std::string("Switch the ") + (scene.causal ? "causal" : "padding") +
                       " mask off to see what leaks.",
                   caption) +
         8;
  }
  if (y + 60 > area.bottom() + 12) return;
  const TextStyle plain{.size = 12, .color = theme.ink};
  draw_color_bar_across(canvas, {area.x + 32, y, 72, 10}, ColorScale::weight, 1);
  canvas.text({area.x + 150, y + 5}, "weights", plain);
  if (layout.scale.width == 0) {
    y += 24;
    draw_color_bar_across(canvas, {area.x + 32, y, 72, 10}, ColorScale::signed_value, scene.scores_end);
    canvas.text({area.x + 150, y + 5}, "scores", plain);
  }
  canvas.text({area.x, y + 30}, head_words(scene.shown.layer, scene.shown.head), plain);
}

}  // namespace glassformer
