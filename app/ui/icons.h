// The few small shapes on buttons: drawn, not taken from a font, so that no machine lacks them.
#pragma once

#include "app/canvas/canvas.h"

namespace glassformer::ui {

enum class Icon {
  none,
  play,
  pause,
  first,
  back,
  next,
  last,
  save,
  pin,
  close,
  chevron,
  chevron_down,
  tick,
  cross,
  folder,
  file,
  up
};

// Centred on `at`; about 12 effective pixels wide.
void draw_icon(Canvas& canvas, Icon icon, Point at, Color color);

}  // namespace glassformer::ui
