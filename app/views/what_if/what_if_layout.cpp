#include "app/views/what_if/what_if.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/colormap.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr float kChip = 28, kLeastColumn = 62, kMostColumn = 132;
constexpr float kLayerLabels = 64, kGroupGap = 32, kLeastTile = 16, kMostTile = 96, kWideTile = 148;
constexpr float kSwitches = 870;  // what they need beside the heading
constexpr float kThirdChoice = 100;
constexpr float kCard = 44, kCardGap = 8, kFieldLeft = 192;

float columns_of(const WhatIfScene& scene) {
  float all = 0;
  for (const PartGroup& group : scene.groups) all += static_cast<float>(group.columns.size());
  return std::max(1.0f, all);
}

int most_layers(const WhatIfScene& scene) {
  int most = 1;
  for (const PartGroup& group : scene.groups) most = std::max(most, group.layers);
  return most;
}

float tile_gap(float tile) {
  return tile >= 30 ? 6.0f : tile >= 22 ? 4.0f : 2.0f;
}

// Height of a tile, gap included, of so many layers.
float row_pitch(int layers) {
  return layers <= 3 ? 36.0f : layers <= 6 ? 26.0f : 18.0f;
}

void place_groups(WhatIfLayout& at, const WhatIfScene& scene, float top, float spare_height, bool file) {
  const float gaps = kGroupGap * static_cast<float>(scene.groups.size() - 1);
  const float room = at.inner.width - kLayerLabels - gaps;
  const float most = columns_of(scene) <= 6 ? kWideTile : kMostTile;
  const float width = std::clamp(std::floor(room / columns_of(scene)), kLeastTile + 2, most);
  const int layers = most_layers(scene);
  const float grown = std::floor(spare_height / static_cast<float>(layers));
  // In a file nothing is below: the tiles fill the page.
  const float most_height = file ? 128.0f : 64.0f;
  const float height = std::clamp(grown, row_pitch(layers), std::max(row_pitch(layers), most_height));

  const Point size{width - tile_gap(width), height - tile_gap(height)};
  at.numbers = size.x >= 42 && size.y >= 16;
  float x = at.inner.x + kLayerLabels;
  // Groups are apart as far as the width goes, as the words above do.
  const float spare = std::max(0.0f, room + tile_gap(width) - width * columns_of(scene));
  const float gap =
      kGroupGap +
      (scene.groups.size() > 1 ? std::min(48.0f, spare / static_cast<float>(scene.groups.size() - 1)) : 0.0f);
  for (const PartGroup& group : scene.groups) {
    GroupPlace place{.tiles = {std::floor(x), top + 38, width * static_cast<float>(group.columns.size()),
                               height * static_cast<float>(group.layers)},
                     .titles = top + 8,
                     .columns = top + 27,
                     .pitch = {width, height},
                     .size = size};
    x += place.tiles.width + gap;
    at.groups.push_back(place);
  }
}

// All but what depends on how much room there is.
WhatIfLayout laid_out(const Rect& area, const WhatIfScene& scene, bool subtitle, bool cards, bool file) {
  WhatIfLayout at{.subtitle = subtitle, .cards = cards};
  at.inner = stage_inner(area);
  float y = area.y + (subtitle ? kStageTop : kStageTopBare);
  at.shown = drawn_columns(scene);
  const auto count = static_cast<float>(std::max<std::size_t>(1, at.shown));
  at.column = std::clamp((at.inner.width - at.label + 8) / count, kLeastColumn, kMostColumn);
  at.indices = y + 8;
  at.before = y + 18;
  at.after = at.before + kChip + 4;
  y = at.after + kChip + 14;
  for (float& bar : at.bars) {
    bar = y;
    y += subtitle ? 18.0f : 16.0f;
  }
  at.caption = y + 4;
  y += 20;

  at.heading = {at.inner.x, y, at.inner.width, 28};
  at.bare_switches = !file && at.inner.width < kSwitches + (scene.input.other ? kThirdChoice : 0);
  y = at.heading.bottom() + 8;
  // A file has no buttons below: the tiles may have their room.
  place_groups(at, scene, y,
               file ? area.bottom() - y - 72 : (cards ? 40.0f * static_cast<float>(most_layers(scene)) : 0),
               file);
  for (const GroupPlace& group : at.groups) y = std::max(y, group.tiles.bottom());
  at.scale = y + 12;
  y = at.scale + 14;

  if (file) {
    at.bottom = y;
    return at;
  }
  if (cards) {
    at.changes_heading = y + 24;
    at.field = {at.inner.x + kFieldLeft, y + 8, at.inner.width - kFieldLeft, 32};
    at.changes = {at.inner.x, at.field.bottom() + 24, at.inner.width, 2 * kCard + kCardGap};
  } else {
    at.changes = {at.inner.x, y + 6, at.inner.width, 28};
    at.changes_heading = at.changes.center().y;
    at.field = {at.inner.x + kLayerLabels, at.changes.bottom() + 6, at.inner.width - kLayerLabels, 28};
  }
  at.bottom = std::max(at.changes.bottom(), at.field.bottom() + 18) + 4;
  return at;
}

}  // namespace

Rect GroupPlace::tile(int layer, int column) const {
  return {tiles.x + static_cast<float>(column) * pitch.x, tiles.y + static_cast<float>(layer) * pitch.y,
          size.x, size.y};
}

Rect WhatIfLayout::chip(std::size_t place, bool changed) const {
  const float x = std::round(inner.x + label + static_cast<float>(place) * column);
  return {x, changed ? after : before, std::floor(column) - 8, kChip};
}

Rect WhatIfLayout::bar(std::size_t place, int row) const {
  const Rect above = chip(place, true);
  return {above.x, bars[row] - bar_height / 2, above.width, bar_height};
}

Rect WhatIfLayout::tile(const WhatIfScene& scene, std::size_t part) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const PartGroup& group = scene.groups[g];
    if (part < group.count()) {
      const std::size_t columns = group.columns.size();
      return groups[g].tile(static_cast<int>(part / columns), static_cast<int>(part % columns));
    }
    part -= group.count();
  }
  return {};
}

WhatIfLayout layout_what_if(const Rect& area, const WhatIfScene& scene, bool file) {
  const WhatIfLayout roomy = laid_out(area, scene, true, true, file);
  if (roomy.bottom <= area.bottom() + 0.5f) return roomy;
  const WhatIfLayout row = laid_out(area, scene, true, false, file);
  if (row.bottom <= area.bottom() + 0.5f) return row;
  return laid_out(area, scene, false, false, file);
}

WhatIfLayout layout_words(const Rect& area, const WhatIfScene& scene) {
  constexpr float kLabel = 68, kLeast = 58, kRow = 46;
  WhatIfLayout at{.inner = area, .label = kLabel, .rows = 2, .bar_height = kTallBar, .letters = 12};
  const float room = area.width - kLabel + 8;
  at.shown = std::clamp<std::size_t>(static_cast<std::size_t>(room / kLeast), 1,
                                     std::max<std::size_t>(1, drawn_columns(scene)));
  at.column = std::min(kMostColumn, room / static_cast<float>(at.shown));
  at.indices = area.y + 8;
  at.before = area.y + 20;
  at.after = at.before + kChip + 8;
  at.bars[0] = at.after + kChip + 12 + kTallBar / 2;
  at.bars[1] = at.bars[0] + kRow;
  at.caption = at.bars[1] + kTallBar / 2 + 22;
  at.bottom = area.bottom();
  return at;
}

std::size_t drawn_columns(const WhatIfScene& scene) {
  constexpr std::size_t kMostBehind = 6;
  std::size_t last = 0;
  for (std::size_t c = 0; c < scene.columns.size(); ++c)
    if (scene.columns[c].before) last = c + 1;
  return std::min(scene.columns.size(), last + kMostBehind);
}

Point what_if_minimum(const WhatIfScene& scene) {
  const float words = 84 + kLeastColumn * static_cast<float>(drawn_columns(scene));
  const float tiles = kLayerLabels + (kLeastTile + 2) * columns_of(scene) +
                      kGroupGap * static_cast<float>(scene.groups.size() - 1);
  const float width = std::max({560.0f, 2 * kStagePadding + words, 2 * kStagePadding + tiles});
  return {width, laid_out({0, 0, width, 0}, scene, false, false, false).bottom};
}

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
      canvas.text({at.inner.x, place.tile(labelled, 0).center().y}, layer_words(labelled),
                  caption_style(canvas));
    const auto columns = static_cast<int>(group.columns.size());
    for (std::size_t i = 0; i < group.count(); ++i, ++part)
      draw_tile(canvas, place.tile(static_cast<int>(i) / columns, static_cast<int>(i) % columns), scene, part,
                at.numbers);
  }
  draw_scale(canvas, at, scene);
}

}  // namespace glassformer
