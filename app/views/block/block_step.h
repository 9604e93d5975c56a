// One stage of a block with all its numbers: what goes in, what comes out, and what LayerNorm, the sum and
// the activation do to every word.
#pragma once

#include <string>
#include <vector>

#include "app/views/block/block_scene.h"
#include "engine/model/block_study.h"

namespace glassformer {

// The matrices of a stage, from left to right (of the activation: one under the other).
struct BlockPart {
  Operand operand;
  std::string before = {};  // what joins it to what stands left: "+", "="; a word gets an arrow
  bool row_words = false;
  bool elementwise = false;  // the same cell of the parts belongs together
};
std::vector<BlockPart> block_parts(const BlockScene& scene, const BlockStage& stage);

// A bar for every word beside the matrices of a stage.
struct RowBars {
  std::string symbol, word;  // "μ", "mean"
  std::vector<double> values;
  bool diverging = false;        // from the middle to both sides
  bool percent = false;          // printed so
  std::optional<Operand> value;  // the numbers of the Trace that they are
};
// Mean and deviation of a norm's rows; what a sum adds beside the stream. Others have none.
std::vector<RowBars> row_bars(const BlockScene& scene, const BlockStage& stage);

// How often each unit of an activation fires.
std::vector<UnitActivity> unit_activity(const BlockScene& scene, const BlockStage& stage);
std::string firing_words(const FiringSummary& summary, int units);

void draw_block_step(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage);
// Without its box and without why.
void draw_block_part(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage);

// Where draw_block_step puts the heads of an attending stage; empty for the others.
std::vector<Rect> block_heads(const Canvas& canvas, const Rect& area, const BlockScene& scene,
                              const BlockStage& stage);

}  // namespace glassformer
