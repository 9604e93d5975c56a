#include "app/ui/icons.h"

#include "app/widgets/marks.h"

namespace glassformer::ui {

namespace {

void path(Canvas& canvas, std::initializer_list<Point> points, Color color) {
  canvas.polyline(std::span(points.begin(), points.size()), {.color = color, .width = 1});
}

}  // namespace

void draw_icon(Canvas& canvas, Icon icon, Point at, Color color) {
  const float x = at.x, y = at.y;
  switch (icon) {
    case Icon::none:
      return;
    case Icon::play:
      return draw_mark(canvas, at, Mark::play, color);
    case Icon::pause:
      return draw_mark(canvas, at, Mark::pause, color);
    case Icon::first:
      return draw_mark(canvas, at, Mark::to_start, color, 12);
    case Icon::back:
      return draw_mark(canvas, at, Mark::step_back, color);
    case Icon::next:
      return draw_mark(canvas, at, Mark::step_forward, color);
    case Icon::last:
      return draw_mark(canvas, at, Mark::to_end, color, 12);
    case Icon::save:
      return draw_mark(canvas, at, Mark::download, color, 14);
    case Icon::pin:
      return draw_mark(canvas, at, Mark::pin, color, 14);
    case Icon::close:
    case Icon::cross:
      return draw_mark(canvas, at, Mark::cross, color, 8);
    case Icon::chevron:
      return path(canvas, {{x - 2, y - 4}, {x + 2, y}, {x - 2, y + 4}}, color);
    case Icon::chevron_down:
      return path(canvas, {{x - 4, y - 2}, {x, y + 2}, {x + 4, y - 2}}, color);
    case Icon::tick:
      return draw_mark(canvas, at, Mark::tick, color);
    case Icon::up:
      return draw_mark(canvas, at, Mark::chevron_up, color, 8);
    case Icon::folder:
      return path(canvas,
                  {{x - 6, y + 5},
                   {x - 6, y - 5},
                   {x - 2, y - 5},
                   {x, y - 3},
                   {x + 6, y - 3},
                   {x + 6, y + 5},
                   {x - 6, y + 5}},
                  color);
    case Icon::file:
      return path(
          canvas,
          {{x - 4, y + 6}, {x - 4, y - 6}, {x + 1, y - 6}, {x + 4, y - 3}, {x + 4, y + 6}, {x - 4, y + 6}},
          color);
  }
}

}  // namespace glassformer::ui
