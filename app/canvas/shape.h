// Filled shapes as FreeType's rasterizer takes them, for the canvas that draws without Cairo.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "app/theme/geometry.h"

struct FT_LibraryRec_;

namespace glassformer {

// One or more polygons in device pixels; what lies in any of them is filled once.
class Shape {
 public:
  void add(std::vector<Point> polygon);  // at least three points
  // A path as wide as this, with round joins and flat ends.
  void add_stroke(std::span<const Point> path, float width);
  bool empty() const { return polygons_.empty(); }

  // Hands over how much of each pixel inside `width` × `height` is covered: row, first column, count, 0 to
  // 255.
  using Cover = std::function<void(int y, int x, int count, std::uint8_t covered)>;
  void fill(FT_LibraryRec_* library, int width, int height, const Cover& cover) const;

 private:
  std::vector<std::vector<Point>> polygons_;  // all turn the same way
};

std::vector<Point> circle_path(Point center, float radius);
std::vector<Point> cubic_path(Point from, Point control1, Point control2, Point to);

}  // namespace glassformer
