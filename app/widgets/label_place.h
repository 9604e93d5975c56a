// Where words may be in a picture: nowhere on a curve, a box or another word.
//
//   LabelSpace space(plot);
//   space.keep_off(curve_points);              // lines
//   space.keep_off(box);                       // and boxes
//   if (auto place = space.first_free(wishes)) // best wish first; the place is taken from then on
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/theme/geometry.h"

namespace glassformer {

bool overlap(const Rect& a, const Rect& b);
// Whether the line between two points passes through the inside of the rectangle.
bool crosses(const Rect& rect, Point from, Point to);

class LabelSpace {
 public:
  explicit LabelSpace(const Rect& bounds) : bounds_(bounds) {}

  void keep_off(const Rect& box) { boxes_.push_back(box); }
  void keep_off(std::span<const Point> line);

  bool is_free(const Rect& place) const;
  // The first of the wishes that is free; it is kept free of later labels. Nothing when none is.
  std::optional<Rect> first_free(std::span<const Rect> wishes);

 private:
  Rect bounds_;
  std::vector<Rect> boxes_;
  struct Line {
    std::vector<Point> points;
    bool forward = true;  // no point lies left of the one before: only a part need be looked at
  };
  std::vector<Line> lines_;
};

// Places beside a point for a label of this size, best first: right, left, above, below, then the corners.
std::vector<Rect> places_around(Point point, Point size, float distance);

}  // namespace glassformer
