// One stage of the pipeline with all its numbers: operands and result with their words, shapes and row sums.
#pragma once

#include "app/views/head/head_scene.h"

namespace glassformer {

void draw_head_step(Canvas& canvas, const Rect& area, const HeadScene& scene, HeadStage stage);

// The matrices that a stage shows, in the order in which they stand there.
struct HeadPart {
  Operand operand;
  bool transposed = false;
  Badge badge = Badge::none;
  std::string before = {};  // what joins it to the matrix on its left: "+", "÷ √8"; a word gets an arrow
  bool row_words = false;
  bool sums = false;
  bool holds_head = false;  // all heads side by side: this one's columns are outlined, its colours are those
                            // of the first part
};
std::vector<HeadPart> head_parts(const HeadScene& scene, HeadStage stage);

}  // namespace glassformer
