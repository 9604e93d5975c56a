// Points, rectangles and colours, free of any library.
#pragma once

#include <algorithm>
#include <cstdint>

namespace glassformer {

struct Point {
  float x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(Point a, float s) { return {a.x * s, a.y * s}; }
  bool operator==(const Point&) const = default;
};

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < right() && p.y < bottom(); }
  Rect inset(float by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
  bool operator==(const Rect&) const = default;
};

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 0;  // not premultiplied; all zero is "nothing"
  bool visible() const { return a != 0; }
  Color with_alpha(float alpha) const { return {r, g, b, static_cast<std::uint8_t>(alpha * 255.0f + 0.5f)}; }
  bool operator==(const Color&) const = default;
};

// 0xRRGGBB, opaque.
constexpr Color rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex), 255};
}

// Width or height 0 where they do not meet.
inline Rect intersection(const Rect& a, const Rect& b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
          std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

// From one unit of length into another.
inline Rect scaled(const Rect& rect, float by) {
  return {rect.x * by, rect.y * by, rect.width * by, rect.height * by};
}

}  // namespace glassformer
