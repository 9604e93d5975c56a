#include "app/ui/tooltip_place.h"

#include <algorithm>
#include <array>

namespace glassformer::ui {

namespace {

constexpr float kEdge = 4, kGap = 8;

bool meet(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

Rect inside(Rect box, Point window) {
  box.x = std::max(kEdge, std::min(box.x, window.x - kEdge - box.width));
  box.y = std::max(kEdge, std::min(box.y, window.y - kEdge - box.height));
  return box;
}

}  // namespace

Rect tooltip_place(Point mouse, Point size, const Rect& explained, std::span<const Rect> kept_free,
                   Point window) {
  const float x = mouse.x + 12, y = mouse.y + 16;
  const std::array places{Point{x, y}, Point{x, explained.bottom() + kGap},
                          Point{x, explained.y - kGap - size.y}, Point{explained.right() + kGap, y},
                          Point{explained.x - kGap - size.x, y}};
  for (const bool over_explained : {false, true}) {
    for (const Point& place : places) {
      const Rect box = inside({place.x, place.y, size.x, size.y}, window);
      const bool free = std::ranges::none_of(kept_free, [&](const Rect& each) { return meet(box, each); });
      if (free && (over_explained || !meet(box, explained))) return box;
    }
  }
  return inside({x, y, size.x, size.y}, window);
}

}  // namespace glassformer::ui
