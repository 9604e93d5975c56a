#include "app/panels/what_if_strip.h"

#include <cmath>
#include <string>
#include <vector>

#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

const char* block_word(AttentionKind block) {
  switch (block) {
    case AttentionKind::encoder:
      return "encoder";
    case AttentionKind::decoder:
      return "decoder";
    case AttentionKind::cross:
      return "cross";
  }
  return "";
}

const char* sub_block_word(SubBlock block) {
  switch (block) {
    case SubBlock::encoder_self:
      return "encoder self-attention";
    case SubBlock::encoder_feed_forward:
      return "encoder feed-forward";
    case SubBlock::decoder_self:
      return "masked self-attention";
    case SubBlock::cross:
      return "cross-attention";
    case SubBlock::decoder_feed_forward:
      return "decoder feed-forward";
  }
  return "";
}

// Each change in words, with what is left when it is taken back.
struct Change {
  std::string words;
  WhatIf without;
};

std::vector<Change> changes_of(const WhatIf& now) {
  std::vector<Change> changes;
  const auto flag = [&](bool WhatIf::*member, const char* words) {
    if (!(now.*member)) return;
    WhatIf without = now;
    without.*member = false;
    changes.push_back({words, without});
  };
  for (size_t i = 0; i < now.muted_heads.size(); ++i) {
    const MutedHead& head = now.muted_heads[i];
    WhatIf without = now;
    without.muted_heads.erase(without.muted_heads.begin() + static_cast<std::ptrdiff_t>(i));
    changes.push_back({std::string(block_word(head.block)) + " layer " + std::to_string(head.layer + 1) +
                           ", head " + std::to_string(head.head + 1) + " muted",
                       without});
  }
  for (size_t i = 0; i < now.muted_sub_blocks.size(); ++i) {
    const MutedSubBlock& block = now.muted_sub_blocks[i];
    WhatIf without = now;
    without.muted_sub_blocks.erase(without.muted_sub_blocks.begin() + static_cast<std::ptrdiff_t>(i));
    changes.push_back(
        {std::string(sub_block_word(block.block)) + " " + std::to_string(block.layer + 1) + " muted",
         without});
  }
  for (size_t i = 0; i < now.edited_rows.size(); ++i) {
    const EditedRow& row = now.edited_rows[i];
    WhatIf without = now;
    without.edited_rows.erase(without.edited_rows.begin() + static_cast<std::ptrdiff_t>(i));
    changes.push_back({std::string(block_word(row.block)) + " layer " + std::to_string(row.layer + 1) +
                           ", head " + std::to_string(row.head + 1) + ", row " + std::to_string(row.query) +
                           " edited",
                       without});
  }
  flag(&WhatIf::drop_causal_mask, "causal mask off");
  flag(&WhatIf::drop_padding_mask, "padding mask off");
  flag(&WhatIf::drop_scale, "scores not divided by √k");
  flag(&WhatIf::drop_positions, "positions off");
  return changes;
}

}  // namespace

void draw_what_if_strip(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel, .outline = t.reference, .outline_width = 2, .radius = 6});
  const float y = rect.center().y;
  canvas.text({rect.x + 16, y}, "Changed", {.font = Font::semibold, .size = 14, .color = t.reference});
  const float undo = ui.button_width("Undo all");
  const float keycap = rect.width > 480 ? 64.0f : 0;
  float right = rect.right() - 12;
  if (keycap > 0) {
    draw_keycap(canvas, {right - 50, y}, "hold O");
    ui.tooltip({right - 50, y - 10, 50, 20}, "While O is held, the untouched model is shown");
    right -= keycap;
  }
  if (ui.QuietButton({right - undo, y - 16, undo, 32}, "Undo all")) ui.push(SetWhatIf{});
  right -= undo + 8;

  float x = rect.x + 16 + ui.text_width("Changed", 14, Font::semibold) + 16;
  const std::vector<Change> changes = changes_of(in.session.scene().what_if);
  for (size_t i = 0; i < changes.size(); ++i) {
    const TextStyle style{.size = 14, .color = t.ink};
    const float width = std::ceil(canvas.measure(changes[i].words, style).x) + 44;
    if (x + width > right) {
      canvas.text({x, y}, "+ " + std::to_string(changes.size() - i) + " more", styles::caption(t));
      break;
    }
    const Rect chip{x, y - 14, width, 28};
    canvas.rectangle(chip, {.fill = t.sunken, .outline = t.border, .radius = 6});
    canvas.text({chip.x + 12, y}, changes[i].words, style);
    const Rect cross{chip.right() - 28, y - 14, 28, 28};
    const ui::Response response = ui.area(cross, "undo: " + changes[i].words, "button");
    ui::draw_icon(canvas, ui::Icon::close, cross.center(), response.hovered ? t.ink : t.second_text);
    if (response.clicked) ui.push(SetWhatIf{changes[i].without});
    x += width + 8;
  }
}

}  // namespace glassformer
