#include "app/ui/tooltip_place.h"

#include <doctest/doctest.h>

#include <vector>

using namespace glassformer;
using ui::tooltip_place;

namespace {

bool apart(const Rect& a, const Rect& b) {
  return a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

}  // namespace

TEST_CASE(
    "a tooltip lies inside the window and never over its cell or the question, wherever the mouse rests") {
  const Point window{1024, 768};
  const std::vector<Rect> question{{700, 500, 300, 80}};
  for (float x = 2; x < window.x - 60; x += 97)
    for (float y = 2; y < window.y - 60; y += 83)
      for (const float cell : {12.0f, 40.0f, 56.0f}) {
        CAPTURE(x);
        CAPTURE(y);
        CAPTURE(cell);
        const Rect explained{x, y, cell, cell};
        const Rect box = tooltip_place({x + cell / 2, y + cell / 2}, {260, 50}, explained, question, window);
        CHECK(apart(box, explained));
        CHECK(apart(box, question[0]));
        CHECK(box.x >= 0);
        CHECK(box.y >= 0);
        CHECK(box.right() <= window.x);
        CHECK(box.bottom() <= window.y);
      }
  // What fills the window cannot be left free, but the question is.
  const Rect box = tooltip_place({720, 520}, {260, 50}, {0, 0, 1024, 768}, question, window);
  CHECK(apart(box, question[0]));
}
