#include "app/widgets/piece_lines.h"

namespace glassformer {
namespace {

constexpr float kPieceHeight = 20, kBetweenLines = 4;
constexpr float kInWord = 2, kBetweenWords = 8;
constexpr float kMargin = 4, kEllipsis = 14;
constexpr int kMostLines = 2;

TextStyle style_of(const Canvas& canvas, const Piece& piece) {
  return {
      .size = 12, .color = piece.unknown ? canvas.theme().wrong : canvas.theme().ink, .x = AlignX::center};
}

}  // namespace

PieceLines layout_piece_lines(const Canvas& canvas, Point at, float width, const std::vector<Piece>& pieces) {
  PieceLines result;
  float x = at.x, y = at.y;
  int line = 1;
  for (const Piece& piece : pieces) {
    const float box = canvas.measure(piece.text, style_of(canvas, piece)).x + 2 * kMargin;
    if (x > at.x) x += piece.word_start ? kBetweenWords : kInWord;
    const float room = width - (line == kMostLines ? kEllipsis : 0);
    if (x > at.x && x + box > at.x + room) {
      result.whole = line < kMostLines;
      if (!result.whole) break;
      ++line;
      x = at.x;
      y += kPieceHeight + kBetweenLines;
    }
    result.boxes.push_back({x, y, std::min(box, width), kPieceHeight});
    x += box;
  }
  result.height = y + kPieceHeight - at.y;
  return result;
}

void draw_piece_lines(Canvas& canvas, const PieceLines& lines, const std::vector<Piece>& pieces) {
  const Theme& t = canvas.theme();
  for (size_t i = 0; i < lines.boxes.size(); ++i) {
    const Rect& box = lines.boxes[i];
    const Piece& piece = pieces[i];
    const TextStyle style = style_of(canvas, piece);
    canvas.rectangle(box, {.fill = t.sunken,
                           .outline = piece.unknown ? t.wrong : t.border,
                           .radius = 3,
                           .dashed = piece.unknown});
    canvas.text(box.center(), elided(canvas, piece.text, style, box.width - kMargin), style);
  }
  if (!lines.whole && !lines.boxes.empty()) {
    const Rect& last = lines.boxes.back();
    canvas.text({last.right() + 4, last.center().y}, "…", {.size = 12, .color = t.second_text});
  }
}

}  // namespace glassformer
