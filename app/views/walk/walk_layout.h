// Where the panels of a step stand.
#pragma once

#include <string>
#include <vector>

#include "app/views/walk/walk_panel.h"

namespace glassformer {

struct WalkPart {
  WalkPanel panel;
  int input = -1;  // of the step; -1: its output, or a value that stands beside its gradient
  bool output = false;
  Rect place;          // what it may take
  Point corner, cell;  // of a matrix: its first cell, and the cells' size
  float title_width = 0;
};

struct WalkLayout {
  Rect rule;                    // the formula's box
  Rect numbers;                 // under it, of a LayerNorm's way back: the chosen number's factors
  std::vector<WalkPart> parts;  // in drawing order
  std::string note;             // on top of a product: the bias
};

WalkLayout walk_layout(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                       const WalkWindow& window);

// The values that stand beside the gradients of a step, and all operands in the order in which they stand.
struct WalkOperand {
  Operand operand;
  int input = -1;
  bool output = false;
  std::string note = {};
  bool leaves = false;  // below the chain rule
};
std::vector<WalkOperand> walk_operands(const Step& step);

// How much room this step needs at the least on a stage of this width.
Point walk_minimum(const WalkScene& scene, const Step& step, float width);

// The axes of a step that are too long to be shown whole.
struct WalkStretch {
  WalkSide side;
  std::string letter;  // "d"
  int total;
};
std::vector<WalkStretch> walk_stretches(const WalkScene& scene, const Step& step);

}  // namespace glassformer
