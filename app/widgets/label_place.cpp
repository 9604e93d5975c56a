#include "app/widgets/label_place.h"

#include <algorithm>

namespace glassformer {

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool crosses(const Rect& rect, Point from, Point to) {
  // Cut the line at each side in turn; something is left when it passes through.
  float begin = 0, end = 1;
  const auto cut = [&](float start, float way, float low, float high) {
    if (way == 0) return start > low && start < high;
    const float first = (low - start) / way, second = (high - start) / way;
    begin = std::max(begin, std::min(first, second));
    end = std::min(end, std::max(first, second));
    return begin < end;
  };
  return cut(from.x, to.x - from.x, rect.x, rect.right()) &&
         cut(from.y, to.y - from.y, rect.y, rect.bottom());
}

void LabelSpace::keep_off(std::span<const Point> line) {
  const bool forward = std::is_sorted(line.begin(), line.end(), [](Point a, Point b) { return a.x < b.x; });
  lines_.push_back({{line.begin(), line.end()}, forward});
}

bool LabelSpace::is_free(const Rect& place) const {
  if (place.x < bounds_.x || place.right() > bounds_.right() || place.y < bounds_.y ||
      place.bottom() > bounds_.bottom())
    return false;
  if (std::any_of(boxes_.begin(), boxes_.end(), [&](const Rect& box) { return overlap(place, box); }))
    return false;
  for (const Line& line : lines_) {
    const std::vector<Point>& points = line.points;
    std::size_t i = 1;
    if (line.forward) {
      const auto from = std::lower_bound(points.begin(), points.end(), place.x,
                                         [](Point point, float x) { return point.x < x; });
      i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, from - points.begin()));
    }
    for (; i < points.size(); ++i) {
      if (line.forward && points[i - 1].x > place.right()) break;
      if (crosses(place, points[i - 1], points[i])) return false;
    }
  }
  return true;
}

std::optional<Rect> LabelSpace::first_free(std::span<const Rect> wishes) {
  for (const Rect& wish : wishes) {
    if (!is_free(wish)) continue;
    keep_off(wish);
    return wish;
  }
  return std::nullopt;
}

std::vector<Rect> places_around(Point point, Point size, float distance) {
  const float left = point.x - distance - size.x, right = point.x + distance;
  const float above = point.y - distance - size.y, below = point.y + distance;
  const float across = point.x - size.x / 2, along = point.y - size.y / 2;
  std::vector<Rect> places;
  for (const Point at : {Point{right, along}, Point{left, along}, Point{across, above}, Point{across, below},
                         Point{right, above}, Point{right, below}, Point{left, above}, Point{left, below}})
    places.push_back({at.x, at.y, size.x, size.y});
  return places;
}

}  // namespace glassformer
