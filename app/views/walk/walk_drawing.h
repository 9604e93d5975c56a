// The stage of the Walk: one step's operands and its result as matrices, and the formula between them. On the
// way back every gradient has its value beside it.
#pragma once

#include "app/canvas/canvas.h"
#include "app/scene/selection.h"
#include "app/views/common/walk_rule.h"  // walk_formula
#include "app/views/walk/walk_summary.h"

namespace glassformer {

struct WalkPicture {
  std::shared_ptr<const WalkScene> scene;
  const Step& step;
  const WalkWindow& window;
  const Selection& pinned;                    // what clicks start from
  const std::vector<WalkSummary>& summaries;  // of matrices that are not seen whole
  std::optional<StoredCell> cell = {};        // marked, with what it was computed from
  bool sizes = true;                          // stand beside the formula
};

// Formula, operands and result; what stands above them is the view's.
void draw_walk_step(Canvas& canvas, const Rect& area, const WalkPicture& picture);

}  // namespace glassformer
