// A matrix whose cells have a given size: for pictures in which several matrices must line up, as in a
// product, where row i of the left one and column j of the right one meet in cell (i, j).
//
// A long axis may be shown in part: the first rows and the last, with a break between them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/colormap.h"

namespace glassformer {

struct MatrixAxis {
  std::vector<int> places;          // which rows of the whole matrix are shown
  std::vector<std::string> labels;  // words, one a place; empty: the places themselves
  int break_after = -1;             // among those shown; -1: none
  int total = 0;

  int count() const { return static_cast<int>(places.size()); }
  std::string label(int at) const;
  // Where a row of the whole matrix is shown.
  std::optional<int> shown(int place) const;
};

// All of an axis.
MatrixAxis whole_axis(int total, std::vector<std::string> labels = {});
// At most `most` of it, the place looked at among them: the ones around it and the last, a break between;
// near an end the ones up to there and two of the other.
MatrixAxis part_of_axis(MatrixAxis whole, int most, int place);

struct MatrixNumbers {
  MatrixAxis rows, columns;
  std::vector<float> values;          // of the cells shown, row by row
  std::vector<unsigned char> hidden;  // 1 where a mask hides the cell; empty: nowhere
  ColorScale scale = ColorScale::signed_value;
  double limit = 1;   // where the colour scale ends
  double factor = 1;  // the numbers in the cells are multiplied by it, the colours are not

  float at(int row, int column) const { return values[index(row, column)]; }
  bool is_hidden(int row, int column) const { return !hidden.empty() && hidden[index(row, column)] != 0; }
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row * columns.count() + column);
  }
};

struct MatrixLook {
  bool row_labels = true, column_labels = true;
  std::vector<std::string> right_values;              // row sums, right of the rows
  std::optional<int> lit_row, lit_column;             // among those shown: their labels are strong
  Color row_outline, column_outline;                  // round them; not visible: none
  bool outline_cell = false;                          // in ink, where the two meet
  bool pale = false;                                  // everything that is not outlined steps back
  int computed = -1;                                  // cells from this one on, row by row, are not there yet
  std::function<HitRegion(int row, int column)> hit;  // among those shown
};

struct MatrixPlace {
  Rect cells;
  Point pitch;
  int row_break = -1, column_break = -1;
  Rect cell(int row, int column) const;
};

inline constexpr float kMatrixLabels = 18;  // above the cells
// What the labels left of the rows take.
float matrix_label_width(const Canvas& canvas, const MatrixNumbers& numbers);
// Width and height of the cells, breaks included.
Point matrix_size(const MatrixNumbers& numbers, Point pitch);
// The largest whole-pixel pitch with which so many cells fill a length.
float pitch_for(float length, const MatrixAxis& axis, float most);

MatrixPlace draw_matrix(Canvas& canvas, Point corner, Point pitch, const MatrixNumbers& numbers,
                        const MatrixLook& look = {});

}  // namespace glassformer
