// One operand of a step as a picture: a matrix of coloured cells, a list of words and ids, or a single
// number.
#pragma once

#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/walk_scene.h"
#include "app/widgets/colormap.h"

namespace glassformer {

struct WalkPanel {
  Operand operand;
  std::string place = "result";  // which part of the step it is: "input 1", "result"
  std::string title;             // "W_Qᵀ"
  std::string shape;             // "8 × 32", and what part of it is shown
  WalkAxis rows, columns;
  std::vector<float> values;  // of the cells shown, row by row; empty: not recorded
  ColorScale scale = ColorScale::signed_value;
  double factor = 1;  // numbers in the cells are multiplied by it; the shape's note says so
  bool ids = false;

  float at(std::size_t row, std::size_t column) const { return values[row * columns.shown.size() + column]; }
  bool single() const { return values.size() == 1 && !ids; }
};

WalkPanel walk_panel(const WalkScene& scene, const Operand& operand, bool transposed = false);

inline constexpr float kWalkHeading = 22, kWalkLabels = 16;  // above the cells

// The room that the words left of the rows take; indices count as words.
float walk_label_width(const Canvas& canvas, const WalkPanel& panel);

struct WalkCellOptions {
  bool words_left = false, words_above = false;
  bool result = false;      // framed in ink
  float title_width = 180;  // px that the heading may take
};
// Cells of this width and height with the first at `corner`, the heading above them.
void draw_walk_cells(Canvas& canvas, Point corner, Point cell, const WalkPanel& panel,
                     const WalkCellOptions& options);
// The largest cells with which the panel fits into a place of this size; rows may be higher than columns are
// wide, so that their words can be read.
Point walk_cell_size(const Canvas& canvas, Point place, const WalkPanel& panel);

bool walk_panel_fits(const Canvas& canvas, Point place, const WalkPanel& panel);

// The panel in this place with the largest cells that fit.
void draw_walk_panel(Canvas& canvas, const Rect& place, const WalkPanel& panel, bool result);

}  // namespace glassformer
