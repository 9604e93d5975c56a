// The words that frame a picture on the stage: the sentence on top that says what it answers, and the
// headings of its parts. One place, so that all of them are where the mock-ups have them.
#pragma once

#include <string_view>

#include "app/canvas/canvas.h"
#include "app/ui/ui.h"
#include "app/views/common/view.h"
#include "app/widgets/matrix_cells.h"

namespace glassformer {

inline constexpr float kStagePadding = 24;
inline constexpr float kStageTop = 76;      // from the area's top to the first part, when there is a subtitle
inline constexpr float kStageTopBare = 44;  // when there is none
inline constexpr float kHeadingHeight = 32;  // a part's heading and the space below it

// The area within the stage's padding.
Rect stage_inner(const Rect& area);
// Draws the title and, elided to the width, the line below it. `reserved` is kept free at the right of the
// title for controls. Returns what is left, from kStageTop down.
Rect draw_stage_title(Canvas& canvas, const Rect& area, std::string_view title, std::string_view subtitle,
                      float reserved = 0);
// The same rectangle without drawing. Without the line below the title it begins higher up.
Rect stage_content(const Rect& area, bool subtitle = true);

struct HeadingOptions {
  std::string_view note = {};  // lighter, behind the heading or at the right end
  bool note_right = true;
  float reserved = 0;  // kept free at the right end for a control
};
// A part's heading on the top of `part`; returns what is below it.
Rect draw_heading(Canvas& canvas, const Rect& part, std::string_view heading,
                  const HeadingOptions& options = {});

// A paragraph centred in an area that has nothing to show yet.
void draw_nothing_yet(Canvas& canvas, const Rect& area, std::string_view heading, std::string_view text);

TextStyle caption_style(const Canvas& canvas);  // 12, second text
TextStyle index_style(const Canvas& canvas);    // 12, mono, second text

// The title's row with a control at its right end, for a view that may be larger than the stage: it is
// still, however far the stage is scrolled and whether scroll bars come or go; in a lecture it goes with the
// picture.

// Draws nothing over a stage that shows all of its view. Over a scrolled one it covers what would lie there
// and says the title again; ends with the scope.
class StageHead {
 public:
  StageHead(ui::Ui& ui, const Rect& area, std::string_view title, Point control);
  ~StageHead();
  StageHead(const StageHead&) = delete;
  StageHead& operator=(const StageHead&) = delete;

  const Rect& control() const { return control_; }

 private:
  ui::Ui& ui_;
  bool covers_;
  Rect control_;
};

// Another page of a view begins at its top, however far the one before was scrolled.
void turn_to_top(ui::Ui& ui);

// What a matrix of the stage shows, as a table.
NumberTable matrix_table(const MatrixNumbers& matrix, std::string title);

}  // namespace glassformer
