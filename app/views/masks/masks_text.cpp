#include <algorithm>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/masks/masks_picture.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"

namespace glassformer {

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
  canvas.text(
      {area.x, y + 30},
      "layer " + std::to_string(scene.shown.layer + 1) + ", head " + std::to_string(scene.shown.head + 1),
      plain);
}

}  // namespace glassformer
