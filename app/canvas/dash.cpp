#include "app/canvas/dash.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glassformer {

std::vector<std::pair<Point, Point>> dashes(std::span<const Point> path, float on, float off) {
  std::vector<std::pair<Point, Point>> pieces;
  bool drawing = true;
  float left = on;  // of the present dash or gap
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Point from = path[i - 1], step = path[i] - from;
    const float length = std::hypot(step.x, step.y);
    for (float done = 0; done < length;) {
      const float part = std::min(left, length - done);
      if (drawing) pieces.emplace_back(from + step * (done / length), from + step * ((done + part) / length));
      done += part;
      left -= part;
      if (left <= 0) {
        drawing = !drawing;
        left = drawing ? on : off;
      }
    }
  }
  return pieces;
}

std::vector<Point> rounded_path(const Rect& rect, float radius) {
  constexpr int kSteps = 4;  // of a quarter circle
  std::vector<Point> path;
  const Point corners[] = {{rect.right() - radius, rect.y + radius},
                           {rect.right() - radius, rect.bottom() - radius},
                           {rect.x + radius, rect.bottom() - radius},
                           {rect.x + radius, rect.y + radius}};
  for (int corner = 0; corner < 4; ++corner) {
    for (int i = 0; i <= kSteps; ++i) {
      const float angle =
          (static_cast<float>(corner - 1) + static_cast<float>(i) / kSteps) * std::numbers::pi_v<float> / 2;
      path.push_back(corners[corner] + Point{std::cos(angle), std::sin(angle)} * radius);
    }
  }
  path.push_back(path.front());
  return path;
}

}  // namespace glassformer
