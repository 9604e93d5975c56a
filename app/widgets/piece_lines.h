// A sentence as a tokenizer cuts it: every piece in a box, those of one word close together.
#pragma once

#include <vector>

#include "app/canvas/canvas.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

struct PieceLines {
  std::vector<Rect> boxes;  // of the first pieces, as many as there is room for
  float height = 0;
  bool whole = true;  // every piece found room
};

// From `at` as top left, broken into at most two lines of this width.
PieceLines layout_piece_lines(const Canvas& canvas, Point at, float width, const std::vector<Piece>& pieces);
// Pieces that the vocabulary lacks are dashed in the colour of mistakes.
void draw_piece_lines(Canvas& canvas, const PieceLines& lines, const std::vector<Piece>& pieces);

}  // namespace glassformer
