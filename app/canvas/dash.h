// Dashes of a path, for surfaces that cannot dash by themselves; and the outline that a rounded rectangle
// dashes along.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "app/theme/geometry.h"

namespace glassformer {

constexpr float kDashOff = 3;  // effective pixels

// The pieces of a path that are drawn: `on` long, then `off` left out. A piece does not run round a corner.
std::vector<std::pair<Point, Point>> dashes(std::span<const Point> path, float on, float off);

// A closed path round a rectangle: the first point comes again at the end.
std::vector<Point> rounded_path(const Rect& rect, float radius);

}  // namespace glassformer
