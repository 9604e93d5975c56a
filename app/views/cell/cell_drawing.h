// The stage of one cell: operands and result as matrices, the work in a table, and the value.
#pragma once

#include <algorithm>
#include <vector>

#include "app/views/cell/cell_scene.h"

namespace glassformer {

// How far the cell is worked out. In a product: the row and the column, their paired products, the running
// sum, the value. Elsewhere the products are the row's own numbers.
enum class CellStage { outline, terms, sum, value };
inline constexpr int kCellStages = 4;

struct CellProgress {
  CellStage stage = CellStage::value;
  int terms = 0;  // added up so far, in the stage of the sum
};

// Stages, one moment after another: the running sum has one for each of its first terms, and a few for the
// rest.
int cell_moments(const CellWork& work);
CellProgress cell_progress(const CellWork& work, int moment);

// What of the cell is on the stage.
struct CellShown {
  CellProgress progress;
  int product = 0;    // of several, whose matrices stand there
  int first_row = 0;  // of the table, when it is longer than its place
};

void draw_cell(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown);

inline constexpr float kTermRow = 20;
// The table of the terms: its rows, and how many of them have room. The last ones always stand at its end.
struct CellTable {
  struct Row {
    int term = -1;  // -1: the name of a product
    int product = -1;
  };
  std::vector<Row> rows;
  Rect place;    // of the rows
  int room = 0;  // rows that fit
  int tail = 0;  // of them at the end, when not all fit
  bool whole() const { return static_cast<int>(rows.size()) <= room; }
  // Of a table that is not whole: how many rows move, and how many there are to move through.
  int moving() const { return std::max(1, room - tail - 1); }
  int length() const { return static_cast<int>(rows.size()) - tail; }
  // The first of the moving rows: as asked for, or where the running sum stands.
  int first(const CellShown& shown) const;
};
CellTable cell_table(const Rect& area, const CellScene& scene);
Rect cell_work_area(const Rect& area);  // of the stage: what cell_table and draw_cell_work get
// The matrices' part of the stage; above them a row for the choice among several products.
Rect cell_matrices_area(const Rect& area, const CellScene& scene);
inline constexpr float kCellChoice = 40;

void draw_cell_matrices(Canvas& canvas, const Rect& area, const CellScene& scene,
                        const CellShown& shown);  // the left part
void draw_cell_work(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown);

}  // namespace glassformer
