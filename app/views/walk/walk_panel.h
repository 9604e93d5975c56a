// One operand of a step as a picture: a matrix of coloured cells, a list of words and ids, or a single
// number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/reading/walk_scene.h"
#include "app/widgets/colormap.h"

namespace glassformer {

struct WalkPanel {
  Operand operand;
  std::string place = "result";  // which part of the step it is: "input 1", "result"
  std::string which = {};        // before the shape, where symbols are alike: "layer 2"
  std::string note = {};         // behind the title: "arrives", "value"
  bool transposed = false;
  std::string shape;  // "8 × 32", or what part of it is shown
  WalkAxis rows, columns;
  WalkSide down, across;      // which axes these are
  std::vector<float> values;  // of the cells shown, row by row; empty: not there
  std::string missing = "not recorded";
  ColorScale scale = ColorScale::signed_value;
  double factor = 1;  // numbers in the cells are multiplied by it; the heading says so
  bool ids = false;
  std::vector<double> sums = {};  // of the rows, where they say something: the weights of a softmax

  float at(std::size_t row, std::size_t column) const { return values[row * columns.shown.size() + column]; }
  bool single() const { return values.size() == 1 && !ids; }
  bool matrix() const { return values.size() > 1 && !ids; }
  std::string title() const { return operand.symbol + (transposed ? "ᵀ" : ""); }
  // The number shown in a row and column, and where the operand's cell is shown, if it is.
  StoredCell stored(const Config& config, std::size_t row, std::size_t column) const;
  struct Place {
    int row = 0, column = 0;
  };
  std::optional<Place> find(const StoredCell& cell, const Config& config) const;
  std::optional<Place> find(int row, int column) const;  // of the operand
};

WalkPanel walk_panel(const WalkScene& scene, const Step& step, const Operand& operand,
                     const WalkWindow& window = {}, bool transposed = false);

inline constexpr float kWalkHeading = 22, kWalkLabels = 15;  // above the cells; a row of labels

// Rows that the words above the columns need, one word higher than the next, at this width of a cell; 0:
// there is no room for words, indices stand there.
int walk_word_rows(const Canvas& canvas, const WalkPanel& panel, float cell_width);
// What stands above the cells: heading and labels.
float walk_head_room(const Canvas& canvas, const WalkPanel& panel, float cell_width);
// The room that the words left of the rows take; indices count as words.
float walk_label_width(const Canvas& canvas, const WalkPanel& panel);

struct WalkCellOptions {
  bool result = false;                          // framed in ink
  float title_width = 180;                      // px that the heading may take
  std::shared_ptr<const WalkScene> scene = {};  // cells can be pinned when it is there
  Selection pinned = {};                        // what a click starts from
};
// Cells of this width and height with the first at `corner`, the heading above them. Returns the cells'
// rectangle.
Rect draw_walk_cells(Canvas& canvas, Point corner, Point cell, const WalkPanel& panel,
                     const WalkCellOptions& options);
// The largest cells with which the panel fits into a place of this size; rows may be higher than columns are
// wide, so that their words can be read.
Point walk_cell_size(const Canvas& canvas, Point place, const WalkPanel& panel);

bool walk_panel_fits(const Canvas& canvas, Point place, const WalkPanel& panel);
// What it needs in the least, before fonts are known: words beside the rows and above the columns at their
// longest, cells of this height, every word of a list.
float walk_least_width(const WalkPanel& panel);
float walk_least_height(const WalkPanel& panel, float width, float cell);

// What is no matrix of cells: words with their ids, one number, or a word about what is missing.
void draw_walk_words(Canvas& canvas, const Rect& place, const WalkPanel& panel,
                     const WalkCellOptions& options);

}  // namespace glassformer
