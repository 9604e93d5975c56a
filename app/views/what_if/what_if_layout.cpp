#include "app/views/what_if/what_if_layout.h"

#include <algorithm>
#include <cmath>

#include "app/views/common/stage_text.h"

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
  // In a file nothing stands below: the tiles fill the page.
  const float most_height = file ? 128.0f : 64.0f;
  const float height = std::clamp(grown, row_pitch(layers), std::max(row_pitch(layers), most_height));

  const Point size{width - tile_gap(width), height - tile_gap(height)};
  at.numbers = size.x >= 42 && size.y >= 16;
  float x = at.inner.x + kLayerLabels;
  // Groups stand apart as far as the width goes, as the words above do.
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

}  // namespace glassformer
