// Formulas of the Walk. A symbol looks alike in the formula and over its matrix: queries, keys and values in
// their colours, all others on a neutral ground, the result framed in ink.
#pragma once

#include <string_view>

#include "app/canvas/canvas.h"
#include "app/reading/cell_names.h"
#include "engine/model/steps/step.h"

namespace glassformer {

// The colour of an operand's frame, and the tint behind its symbol.
struct WalkColors {
  Color frame, tint;
};
WalkColors walk_colors(const Theme& theme, const Operand& operand);

// An operand's symbol on its tint, from the left end of the line through the capitals' middle; returns the
// width.
float draw_walk_symbol(Canvas& canvas, Point at, const Operand& operand, bool transposed = false,
                       bool result = false);

// The step's formula in a box, `caption` before it and `note` at the right end where there is room.
void draw_walk_rule(Canvas& canvas, const Rect& box, const Step& step, std::string_view caption,
                    std::string_view note);

}  // namespace glassformer
