// The stage of the Walk: one step's operands and its result as matrices, and the formula between them.
#pragma once

#include <string_view>

#include "app/inspector/page.h"
#include "app/views/walk_scene.h"

namespace glassformer {

// "W_Q" and "C_1" with their indices lowered; everything else as it stands.
Formula walk_formula(std::string_view text);

// Formula, operands and result; what stands above them is the view's.
void draw_walk_step(Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step);

// How much room the steps of a sentence of so many tokens need at the least.
Point walk_minimum(std::size_t tokens);

}  // namespace glassformer
