// The stage of one cell: operands and result as matrices, the work in a table, and the value.
#pragma once

#include "app/views/cell_scene.h"

namespace glassformer {

// How far the cell is worked out. In a product: the row and the column, their paired products, the running
// sum, the value. Elsewhere the products are the row's own numbers.
enum class CellStage { outline, terms, sum, value };
inline constexpr int kCellStages = 4;

struct CellProgress {
  CellStage stage = CellStage::value;
  int terms = 0;  // added up so far, in the stage of the sum
};

// Stages, one moment after another: the running sum has one for each of its first terms.
int cell_moments(const CellWork& work);
CellProgress cell_progress(const CellWork& work, int moment);

void draw_cell(Canvas& canvas, const Rect& area, const CellScene& scene, const CellProgress& progress);

// The places of the terms that the table lists: all, or the first and last few; of a vocabulary the largest.
std::vector<int> listed_terms(const CellWork& work, int column);

void draw_cell_matrices(Canvas& canvas, const Rect& area, const CellScene& scene,
                        const CellProgress& progress);  // the left part
void draw_cell_work(Canvas& canvas, const Rect& area, const CellScene& scene, const CellProgress& progress);

}  // namespace glassformer
