#include "app/widgets/signed_bar.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/colormap.h"

namespace glassformer {

void draw_signed_bar(Canvas& canvas, const Rect& rect, double share) {
  const Theme& theme = canvas.theme();
  const float middle = std::round(rect.center().x);
  canvas.rectangle(rect, {.fill = theme.sunken, .radius = 2});
  const float length = static_cast<float>(std::min(1.0, std::abs(share))) * rect.width / 2;
  if (length >= 0.5f)
    canvas.rectangle({share < 0 ? middle - length : middle, rect.y, length, rect.height},
                     {.fill = signed_color(share < 0 ? -0.8 : 0.8, theme)});
  canvas.line({middle, rect.y - 3}, {middle, rect.bottom() + 3}, {theme.control, 1});
}

}  // namespace glassformer
