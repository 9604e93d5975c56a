#include <algorithm>
#include <cmath>

#include "app/canvas/canvas.h"
#include "app/views/common/stage_text.h"
#include "app/views/layers/layers_view.h"

namespace glassformer {

namespace {

constexpr float kLabels = 152, kFollow = 216, kHead = 44, kGap = 2, kLayerGap = 8;
constexpr float kLeastColumn = 46, kMostColumn = 76, kLeastLine = 24, kMostLine = 52;
constexpr float kWrites = 18, kLegend = 28, kText = 16;  // below the cells, each from what is above
constexpr float kBelow = kWrites + kLegend + kText;
constexpr float kLow = 480;      // px of a stage that has no room for the line below the title
constexpr float kTwoLines = 38;  // from here on p stands under the word

float layer_gaps(const LayersScene& scene) {
  const auto layers = std::ranges::count_if(scene.lines, &LayersLine::opens);
  return kLayerGap * static_cast<float>(layers);
}

// Of both sentences below, as high as they may become: before the lens is there, the first is not known.
float text_height(const LayersScene& scene, float width) {
  constexpr std::size_t kLongestSummary = 215;
  constexpr float kLetter = 6.2f;  // px at most, on average, at 12 px
  const auto lines = [&](std::size_t letters) {
    return std::ceil(static_cast<float>(letters) * kLetter / width);
  };
  return (lines(kLongestSummary) + lines(lens_warning(scene).size())) * 12 * kLineHeight + 8;
}

}  // namespace

Rect LayersLayout::cell(int line_index, int place) const {
  return {cells.x + column * static_cast<float>(place), tops[static_cast<std::size_t>(line_index)],
          column - kGap, line};
}

Rect LayersLayout::row(int line_index) const {
  return {cells.x, tops[static_cast<std::size_t>(line_index)], cells.width, line};
}

Point layers_minimum(const LayersScene& scene) {
  const auto places = static_cast<float>(scene.places()), lines = static_cast<float>(scene.lines.size());
  const float width = std::max(640.0f, 2 * kStagePadding + kLabels + places * kLeastColumn + 24 + kFollow);
  const float below_title = kHead + lines * (kLeastLine + kGap) + layer_gaps(scene) + kBelow +
                            text_height(scene, width - 2 * kStagePadding) + 24;
  const float bare = kStageTopBare + below_title;
  return {width, std::max(400.0f, bare < kLow ? bare : kStageTop + below_title)};
}

int layers_places_alone(float width) {
  return std::max(1, static_cast<int>((width - kLabels) / kLeastColumn));
}

LayersLayout layout_layers_alone(const Rect& room, const LayersScene& scene) {
  constexpr float kLayer = 4, kLeast = 14;
  LayersLayout at;
  const float layers = static_cast<float>(std::ranges::count_if(scene.lines, &LayersLine::opens));
  const float height = room.height - kHead - kWrites - 10 - kLayer * layers;
  at.line = std::clamp(std::floor(height / static_cast<float>(scene.lines.size())) - kGap, kLeast, kMostLine);
  at.two_lines = at.line >= kTwoLines;
  at.column = std::clamp(std::floor((room.width - kLabels) / static_cast<float>(std::max(1, scene.places()))),
                         kLeastColumn, 2 * kMostColumn);
  float y = room.y + kHead;
  for (const LayersLine& line : scene.lines) {
    if (line.opens) y += kLayer;
    at.tops.push_back(y);
    y += at.line + kGap;
  }
  at.cells = {room.x + kLabels, room.y + kHead, at.column * static_cast<float>(scene.places()),
              y - kGap - room.y - kHead};
  at.labels = {room.x, room.y + kHead, kLabels, at.cells.height};
  at.writes = at.cells.bottom() + kWrites;
  return at;
}

LayersLayout layout_layers(const Rect& area, const LayersScene& scene) {
  LayersLayout at;
  const auto places = static_cast<float>(std::max(1, scene.places()));
  const auto lines = static_cast<float>(scene.lines.size());
  at.subtitle = area.height >= kLow;
  const Rect content = stage_content(area, at.subtitle);
  const float room =
      content.bottom() - content.y - kHead - layer_gaps(scene) - kBelow - text_height(scene, content.width);
  at.line = std::clamp(std::floor(room / lines) - kGap, kLeastLine, kMostLine);
  at.two_lines = at.line >= kTwoLines;
  at.column =
      std::clamp(std::floor((content.width - kLabels - 24 - kFollow) / places), kLeastColumn, kMostColumn);
  const float top = content.y + kHead;
  float y = top;
  for (const LayersLine& line : scene.lines) {
    if (line.opens) y += kLayerGap;
    at.tops.push_back(y);
    y += at.line + kGap;
  }
  at.cells = {content.x + kLabels, top, at.column * places, y - kGap - top};
  at.labels = {content.x, top, kLabels, at.cells.height};
  at.follow = {at.cells.right() + 24, top, kFollow, at.cells.height};
  at.writes = at.cells.bottom() + kWrites;
  at.legend = at.writes + kLegend;
  at.text = at.legend + kText;
  return at;
}

}  // namespace glassformer
