// The pieces that the stages of a block are put together from. Internal to block_step and block_units.
#pragma once

#include "app/views/block/block_step.h"

namespace glassformer {

inline constexpr float kPartTitle = 22;

// The part's numbers, cut to what `width` can show at 2 px a column, the pinned column among them.
MatrixNumbers part_numbers(const BlockScene& scene, const BlockPart& part, float width);
MatrixLook part_look(const Canvas& canvas, const BlockScene& scene, const std::vector<BlockPart>& parts,
                     const BlockPart& part, const MatrixNumbers& matrix);
// Symbol, shape and, where there is room, the colour scale. Returns where it ends.
float draw_part_title(Canvas& canvas, Point at, float width, const BlockPart& part,
                      const MatrixNumbers& matrix);
// One limit for all, so that their colours can be compared.
void share_limit(std::vector<MatrixNumbers>& matrices);

// Before and after the activation, unit by unit, and below how many words each unit fires for.
void draw_units(Canvas& canvas, const Rect& area, const BlockScene& scene, const BlockStage& stage);

}  // namespace glassformer
