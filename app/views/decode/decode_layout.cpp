#include <algorithm>
#include <cmath>
#include <utility>

#include "app/views/common/stage_text.h"
#include "app/views/decode/decode_view.h"

namespace glassformer {

namespace {

constexpr float kStart = 54, kLastNote = 78;  // <bos>; the score behind a last word
constexpr float kNode = 26, kLeastLane = 46, kMostLane = 58;
constexpr float kLeastColumn = 68, kMostColumn = 100;
constexpr float kTightColumn = 40;  // in a file whose size was chosen before the search had ended
constexpr float kLeastWidth = 780;  // the title beside the choice of a page
constexpr float kMostTable = 940;
constexpr float kControls = 44, kSteps = 28, kBelowTree = 60, kBelowAlone = 40, kTableHead = 56,
                kTableRow = 22;

float table_height(const DecodeScene& scene) {
  return kTableHead + kTableRow * static_cast<float>(finished_rows(scene)) + 28;
}

}  // namespace

DecodeLayout layout_decode(const Rect& area, const DecodeScene& scene) {
  const Rect content = stage_content(area);
  DecodeLayout at;
  at.controls = {content.x, content.y - 4, content.width, 32};
  at.steps = {content.x, content.y + kControls - 8, content.width, kSteps};
  at.start = kStart;
  const float columns = static_cast<float>(std::max(scene.tree.columns, 1));
  at.column = std::clamp((content.width - kStart - kLastNote) / columns, kTightColumn, kMostColumn);
  const float table = table_height(scene), top = at.steps.bottom();
  const float lanes = static_cast<float>(scene.tree.lanes);
  at.lane = std::clamp((content.bottom() - table - kBelowTree - top) / lanes, kLeastLane, kMostLane);
  at.tree = {content.x, top, content.width, at.lane * lanes};
  at.folded = at.tree.bottom() + 10;
  at.legend = at.folded + 26;
  const float after = at.tree.bottom() + kBelowTree;
  // A tree may be wider than the stage; what it found is to be read without scrolling.
  at.table = {content.x, after, std::min(content.width, std::max(kMostTable, table_wants(scene))), table};
  return at;
}

DecodeLayout layout_tree_alone(const Rect& inner, DecodeScene& scene, float head) {
  const float wide = inner.width - kStart - kLastNote, high = inner.height - head - kSteps - kBelowAlone;
  const DecodeTree all = std::move(scene.tree);
  scene.tree =
      part_of_tree(all, scene.explained.value_or(0), std::max(1, static_cast<int>(wide / kLeastColumn)),
                   std::max(1, static_cast<int>(high / kLeastLane)));
  if (scene.explained)
    scene.explained = scene.tree.find(all.nodes[static_cast<std::size_t>(*scene.explained)].place);
  DecodeLayout at;
  at.first_step = scene.tree.first;
  at.start = kStart;
  at.controls = {inner.x, inner.y, inner.width, head};
  at.steps = {inner.x, inner.y + head, inner.width, kSteps};
  at.column =
      std::clamp(wide / static_cast<float>(std::max(scene.tree.columns, 1)), kTightColumn, kMostColumn);
  const auto lanes = static_cast<float>(scene.tree.lanes);
  at.lane = std::clamp(high / lanes, kLeastLane, kMostLane);
  at.tree = {inner.x, at.steps.bottom(), inner.width, at.lane * lanes};
  at.folded = at.tree.bottom() + 8;
  at.legend = at.folded + 22;
  return at;
}

Point decode_minimum(const DecodeScene& scene) {
  const float columns = static_cast<float>(std::max(scene.tree.columns, 1));
  const float width = 2 * kStagePadding + kStart + kLastNote + columns * kLeastColumn;
  const float height = kStageTop + kControls - 8 + kSteps +
                       kLeastLane * static_cast<float>(scene.tree.lanes) + kBelowTree + table_height(scene) +
                       12;
  return {std::max(kLeastWidth, width), std::max(460.0f, height)};
}

Rect DecodeLayout::node(int lane_index, int column_index) const {
  const float x = tree.x + start + 18 + column * static_cast<float>(column_index - first_step);
  const float y = tree.y + lane * static_cast<float>(lane_index) + 4;
  return {x, y, column - 22, kNode};
}

Rect DecodeLayout::first() const {
  return {tree.x, tree.y + 4, start, kNode};
}

}  // namespace glassformer
