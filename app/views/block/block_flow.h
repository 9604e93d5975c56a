// The block as a whole: the residual stream from left to right, every sub-layer on it, and the way past each
// of them.
#pragma once

#include <vector>

#include "app/views/block/block_scene.h"

namespace glassformer {

struct BlockFlow {
  Rect area;
  float pitch = 0;
  Rect stream;              // what the block reads
  std::vector<Rect> stage;  // one each
  float bypass = 0;         // the line of the way past
};

inline constexpr float kBlockFlow = 128;  // high, with tiles of the usual size
BlockFlow block_flow(const BlockScene& scene, const Rect& area);
void draw_block_flow(Canvas& canvas, const BlockFlow& flow, const BlockScene& scene, int current);

}  // namespace glassformer
