// One step with its numbers: its name, formula and reason, and its operands side by side with the signs
// between them.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/reading/step_reader.h"
#include "app/widgets/formula.h"
#include "app/widgets/marks.h"
#include "app/widgets/matrix_cells.h"

namespace glassformer {

// Room in a row that its view fills; `x` is where it begins, behind the `lead`.
struct RowRoom {
  float width = 0, lead = 0;
  float x = 0;
};

struct OperandPart {
  Operand operand;
  bool transposed = false;
  Badge badge = Badge::none;
  std::string before = {};  // what joins it to the left: "+", "="; a word gets an arrow
  bool row_words = false;
  std::string row_title = {};      // over them, where there is room
  bool sums = false;               // of the rows, right of them
  std::optional<int> cut_at = {};  // too wide, it is cut around this column; nothing: never
  RowRoom room = {};               // left of its sign

  // Set by read() and OperandRow::place(); the look is the view's.
  MatrixNumbers matrix = {};
  MatrixLook look = {};
  float labels = 0, x = 0, pitch = 0;  // px left of the rows; where the cells begin, and of one column

  void read(const StepReader& reader, float width = std::numeric_limits<float>::infinity());
  // Badge, symbol, shape and, where there is room, the colour scale.
  void draw_title(Canvas& canvas, Point at, float width) const;
};
// One limit for all, so that their colours can be compared.
void share_limit(std::vector<OperandPart>& parts);

inline constexpr float kPartTitle = 22;

struct OperandRow {
  std::string title;
  std::vector<Formula> formulas;  // as many as there is room for
  std::string reason;
  std::vector<OperandPart> parts;
  RowRoom behind = {};
  bool one_scale = false;
  float foot = 4;  // px below the cells
  float widest_cell = 56;

  // Set by place(): the rows of all cells.
  float top = 0, bottom = 0, pitch = 0;

  // Along a line through the middle of the title.
  void draw_name(Canvas& canvas, Point at, float right) const;
  // Name, formulas and reason in a box; what they leave is the content.
  void draw_panel(Canvas& canvas, const Rect& area) const;
  Rect content(const Canvas& canvas, const Rect& area) const;

  // Reads the parts and places them; draw() then needs their looks.
  void place(const Canvas& canvas, const Rect& area, const StepReader& reader);
  std::vector<MatrixPlace> draw(Canvas& canvas, float right) const;
};
// Of a difference there are no formulas, and another reason.
OperandRow operand_row(const StepReader& reader, std::string title, const std::vector<const Step*>& steps,
                       std::string reason, std::vector<OperandPart> parts);

// A step's number in a circle and, where there is room, its name, together centred; the current one's in ink.
void draw_step_name(Canvas& canvas, Point center, float room, int number, const std::string& name,
                    bool current, Color otherwise);

// Between two matrices; what is done to one of them is over an arrow.
void draw_sign(Canvas& canvas, const Rect& gap, const std::string& sign);

}  // namespace glassformer
