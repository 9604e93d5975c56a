#include "app/canvas/shape.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>

#include "app/canvas/ft_cover.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostPoints = 30000;  // of an outline
constexpr float kHardlyTurns = 0.9f;        // cosine of the turn

double area(const std::vector<Point>& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    sum += double(a.x) * double(b.y) - double(b.x) * double(a.y);
  }
  return sum;
}

}  // namespace

void Shape::add(std::vector<Point> polygon) {
  if (area(polygon) < 0) std::ranges::reverse(polygon);
  polygons_.push_back(std::move(polygon));
}

void Shape::add_stroke(std::span<const Point> path, float width) {
  const float half = width / 2;
  std::vector<Point> at, across;  // where pieces begin; to the left of each, half the width long
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Point along = path[i + 1] - path[i];
    const float length = std::hypot(along.x, along.y);
    if (length <= 0) continue;
    at.push_back(path[i]);
    across.push_back({-along.y / length * half, along.x / length * half});
  }
  if (at.empty()) return;
  at.push_back(path.back());
  // Where the path hardly turns its edges go on, else two pieces meet in a circle.
  const auto corner = [&](Point a, Point b) -> std::optional<Point> {
    const float turn = (a.x * b.x + a.y * b.y) / (half * half);
    if (turn < kHardlyTurns) return std::nullopt;
    return (a + b) * (1 / (1 + turn));
  };
  const bool closed = path.size() > 2 && path.front() == path.back();
  std::optional<Point> begins = closed ? corner(across.back(), across.front()) : std::nullopt;
  const std::optional<Point> ends = begins;
  if (closed && !begins) add(circle_path(path.front(), half));
  std::vector<Point> left, right;
  for (std::size_t i = 0; i < across.size(); ++i) {
    const bool last = i + 1 == across.size();
    const Point from = begins.value_or(across[i]);
    left.push_back(at[i] + from), right.push_back(at[i] - from);
    begins = last ? ends : corner(across[i], across[i + 1]);
    if (begins && !last) continue;
    const Point to = begins.value_or(across[i]);
    left.push_back(at[i + 1] + to), right.push_back(at[i + 1] - to);
    left.insert(left.end(), right.rbegin(), right.rend());
    add(std::exchange(left, {}));
    right.clear();
    if (!last) add(circle_path(at[i + 1], half));
  }
}

void Shape::fill(FT_LibraryRec_* library, int width, int height, const Cover& cover) const {
  for (std::size_t first = 0; first < polygons_.size();) {
    std::vector<FT_Vector> points;
    std::vector<std::remove_pointer_t<decltype(FT_Outline::contours)>> ends;
    std::size_t next = first;
    while (next < polygons_.size() &&
           (next == first || points.size() + polygons_[next].size() < kMostPoints)) {
      for (const Point& p : polygons_[next])
        points.push_back({std::lround(p.x * 64), std::lround((static_cast<float>(height) - p.y) * 64)});
      ends.push_back(static_cast<decltype(ends)::value_type>(points.size() - 1));
      ++next;
    }
    std::vector<std::remove_pointer_t<decltype(FT_Outline::tags)>> tags(points.size(), FT_CURVE_TAG_ON);
    FT_Outline outline{};
    outline.n_points = static_cast<decltype(outline.n_points)>(points.size());
    outline.n_contours = static_cast<decltype(outline.n_contours)>(ends.size());
    outline.points = points.data();
    outline.tags = tags.data();
    outline.contours = ends.data();
    cover_outline(library, outline, width, height, cover);
    first = next;
  }
}

std::vector<Point> circle_path(Point center, float radius) {
  const int corners = std::clamp(static_cast<int>(16 * std::sqrt(radius)), 12, 400);
  std::vector<Point> path;
  for (int i = 0; i < corners; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(corners);
    path.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
  return path;
}

std::vector<Point> cubic_path(Point from, Point control1, Point control2, Point to) {
  constexpr int kPieces = 48;
  std::vector<Point> path;
  for (int i = 0; i <= kPieces; ++i) {
    const float t = static_cast<float>(i) / kPieces, s = 1 - t;
    path.push_back(from * (s * s * s) + control1 * (3 * s * s * t) + control2 * (3 * s * t * t) +
                   to * (t * t * t));
  }
  return path;
}

}  // namespace glassformer
