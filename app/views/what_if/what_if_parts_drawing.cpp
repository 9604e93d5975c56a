#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/what_if/what_if_layout.h"
#include "app/widgets/colormap.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

void draw_titles(Canvas& canvas, const GroupPlace& place, const PartGroup& group) {
  const Theme& theme = canvas.theme();
  const TextStyle title{.font = Font::semibold, .size = 12, .color = theme.ink};
  const float room = std::max(place.tiles.width, 60.0f) + 16;
  const bool whole = canvas.measure(group.title, title).x <= room;
  canvas.text({place.tiles.x, place.titles},
              elided(canvas, whole ? group.title : group.short_title, title, room), title);
  TextStyle column = caption_style(canvas);
  column.x = AlignX::center;
  const bool words = std::ranges::all_of(group.columns, [&](const std::string& each) {
    return canvas.measure(each, column).x <= place.pitch.x - 2;
  });
  // Heads and places that are too narrow for their names have numbers; words of two are cut.
  const bool numbered = !words && place.pitch.x < 56;
  const int step = place.pitch.x >= 20 ? 1 : 2;
  const bool heads = !group.changes.empty() && group.changes.front().kind == ChangeKind::mute_head;
  for (int c = 0; c < static_cast<int>(group.columns.size()); ++c) {
    if (numbered && c % step != 0) continue;
    const std::string& name = group.columns[static_cast<std::size_t>(c)];
    const std::string shown =
        numbered ? std::to_string(heads ? c + 1 : c) : elided(canvas, name, column, place.pitch.x - 2);
    canvas.text({place.tile(0, c).center().x, place.columns}, shown, column);
  }
}

void draw_tile(Canvas& canvas, const Rect& tile, const WhatIfScene& scene, std::size_t part, bool numbers) {
  const Theme& theme = canvas.theme();
  const bool muted = scene.muted(scene.change(part));
  const bool known = part < scene.importance.parts.size();
  if (!known) {
    if (muted)
      draw_hatched(canvas, tile);
    else
      canvas.rectangle(tile, {.fill = theme.sunken});
  } else {
    const double value = scene.importance.parts[part].mean;
    const Color color = signed_color(value / scene.limit(), theme);
    const std::string number = tile_number(value);
    TextStyle style{.font = Font::mono, .size = 12, .color = text_on(color), .x = AlignX::center};
    if (canvas.measure(number, style).x > tile.width - 4) style.size = 11;
    if (!std::isfinite(value)) {
      draw_not_a_number(canvas, tile);
    } else if (muted) {
      draw_hatched(canvas, tile);
      canvas.rectangle(tile, {.outline = theme.reference, .outline_width = 1.5f});
      const float inset = std::min(tile.width, tile.height) * 0.28f;
      const float width = numbers ? canvas.measure(number, style).x + 8 : tile.width - 2 * inset;
      canvas.rectangle({tile.center().x - width / 2, tile.y + inset, width, tile.height - 2 * inset},
                       {.fill = color});
    } else {
      canvas.rectangle(tile, {.fill = color});
    }
    if (numbers && std::isfinite(value)) canvas.text(tile.center(), number, style);
  }
  if (scene.part == part)
    canvas.rectangle(tile.inset(-3), {.outline = theme.ink, .outline_width = 2, .radius = 3});
}

std::string scale_note(const Canvas& canvas, const WhatIfScene& scene, float room) {
  const std::string loss = format_loss(scene.importance.untouched);
  const std::string which =
      scene.choice.held_out && scene.choice.parts != PartsShown::places
          ? format_count(scene.pairs ? scene.pairs->sentences() : 0) + " held-out sentences"
          : "this sentence";
  std::string text = "Change of the loss of " + which + ", " + loss + " untouched, when that " +
                     parts_word(scene.choice.parts) + " alone is " +
                     (scene.choice.by == Replacement::zero ? "muted" : replaced_by(scene.choice.by)) + ".";
  // As many sentences as there is room for.
  for (const char* more :
       {scene.choice.by == Replacement::other ? " Blue: worse with that." : " Blue: worse without it.",
        " Hatched: muted now."}) {
    if (canvas.measure(text + more, caption_style(canvas)).x > room) break;
    text += more;
  }
  return elided(canvas, text, caption_style(canvas), room);
}

// The scale, what it says, and how far the work is.
void draw_scale(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene) {
  const TextStyle style = caption_style(canvas);
  if (!scene.trouble.empty()) {
    canvas.text({at.inner.x, at.scale}, elided(canvas, scene.trouble, style, at.inner.width), style);
    return;
  }
  const float bar = 96, left = at.inner.x + kStagePadding + 24;
  draw_color_bar_across(canvas, {left, at.scale - 5, bar, 10}, ColorScale::signed_value, scene.limit());
  const float from = left + bar + 56;
  std::string end;
  const std::size_t done = scene.importance.parts.size();
  if (!scene.importance.whole() && scene.importance.count > 0)
    end = parts_word(scene.choice.parts) + " " + std::to_string(std::min(done + 1, scene.importance.count)) +
          " of " + std::to_string(scene.importance.count);
  float room = at.inner.right() - from;
  if (!end.empty()) {
    TextStyle right = style;
    right.x = AlignX::right;
    canvas.text({at.inner.right(), at.scale}, end, right);
    const float width = canvas.measure(end, right).x;
    room -= width + 16;
    const Rect track{at.inner.right() - width, at.scale + 9, width, 2};
    canvas.rectangle(track, {.fill = canvas.theme().sunken});
    canvas.rectangle({track.x, track.y,
                      track.width * static_cast<float>(done) / static_cast<float>(scene.importance.count), 2},
                     {.fill = canvas.theme().ink});
  }
  canvas.text({from, at.scale}, scale_note(canvas, scene, room), style);
}

}  // namespace

void draw_parts(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene) {
  if (!at.bare_switches)
    canvas.text({at.heading.x, at.heading.center().y},
                "How much each " + parts_word(scene.choice.parts) + " matters",
                {.font = Font::semibold, .size = 14, .color = canvas.theme().ink});
  int labelled = 0;
  std::size_t part = 0;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    const PartGroup& group = scene.groups[g];
    const GroupPlace& place = at.groups[g];
    draw_titles(canvas, place, group);
    for (; labelled < group.layers; ++labelled)
      canvas.text({at.inner.x, place.tile(labelled, 0).center().y}, "layer " + std::to_string(labelled + 1),
                  caption_style(canvas));
    const auto columns = static_cast<int>(group.columns.size());
    for (std::size_t i = 0; i < group.count(); ++i, ++part)
      draw_tile(canvas, place.tile(static_cast<int>(i) / columns, static_cast<int>(i) % columns), scene, part,
                at.numbers);
  }
  draw_scale(canvas, at, scene);
}

}  // namespace glassformer
