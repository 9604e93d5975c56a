#include <algorithm>
#include <cmath>

#include "app/views/common/stage_text.h"
#include "app/views/masks/masks_picture.h"

namespace glassformer {

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
  // One mask alone stands in one row with what it does to the numbers.
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

}  // namespace glassformer
