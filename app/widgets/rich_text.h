// A line or paragraph with words set in SemiBold: "to write **voit** it reads **sees**".
#pragma once

#include <string_view>

#include "app/canvas/canvas.h"

namespace glassformer {

struct RichTextStyle {
  TextStyle plain;        // of the words between; its alignment is ignored
  float bold_size = 0;    // of the SemiBold words; 0: as the plain ones
  Color bold_color = {};  // not visible: the theme's ink
};

// From `at` as top left, broken at blanks into lines of at most `width`; returns the height used.
float draw_rich_text(Canvas& canvas, Point at, float width, std::string_view text,
                     const RichTextStyle& style);

}  // namespace glassformer
