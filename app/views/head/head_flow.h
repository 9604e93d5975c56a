// The pipeline as a whole: every matrix in place, those done drawn, those to come as frames with their shape.
// A low area has one row with the names of the stages.
#pragma once

#include <array>

#include "app/views/head/head_scene.h"

namespace glassformer {

inline constexpr float kFoldedFlow = 36;  // px: the height of that row

struct HeadFlow {
  bool folded = false;      // `stage` alone is set
  Rect x, memory;           // what the queries, and in cross-attention the keys and values, are made of
  std::array<Rect, 3> qkv;  // one under the other
  std::array<Rect, kHeadStages> stage;  // of the projections all three together
  float middle = 0;                     // the line that the other stages stand on
  float bottom = 0;
};

HeadFlow head_flow(const HeadScene& scene, const Rect& area);
void draw_head_flow(Canvas& canvas, const HeadFlow& flow, const HeadScene& scene, HeadStage current);

}  // namespace glassformer
