// The surface that every picture is drawn on. Three kinds exist: the screen (ImDrawList), SVG, and Cairo (PDF
// and PNG), so a saved figure is the figure on screen.
//
// Coordinates are effective pixels: font scale 1, y downwards. The canvas multiplies by its scale and puts
// filled edges on whole device pixels, so that neighbouring cells never show a seam. Text sizes are em sizes
// as in CSS.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/fonts/font.h"
#include "app/theme/geometry.h"
#include "app/theme/theme.h"

namespace glassformer {

enum class AlignX { left, center, right };
// A line of text is 1.55 times its size high, with the capital height centred in it. `top` and `bottom` place
// that line box, `middle` its centre (and so the capitals' centre), `baseline` the foot of the letters.
enum class AlignY { top, middle, baseline, bottom };

struct TextStyle {
  Font font = Font::regular;
  float size = 14;  // em size
  Color color = {};
  AlignX x = AlignX::left;
  AlignY y = AlignY::middle;
};

struct Stroke {
  Color color = {};
  float width = 1;
  bool dashed = false;
  float dash = 4;  // length of a dash; 3 are left out between two
};

// How a rectangle looks; whatever is transparent is left out.
struct Box {
  Color fill = {};
  Color outline = {};
  float outline_width = 1;
  float radius = 0;
  bool dashed = false;  // the outline
  Color hatch = {};     // 45 degree lines every 5 px, over the fill
};

struct HitRegion;  // app/canvas/hit_region.h
struct HitGrid;    // the same for the cells of a heatmap

class Canvas {
 public:
  virtual ~Canvas() = default;

  virtual const Theme& theme() const = 0;
  virtual float scale() const = 0;  // device pixels in one effective pixel

  virtual void rectangle(const Rect& rect, const Box& box) = 0;
  virtual void line(Point from, Point to, const Stroke& stroke) = 0;
  virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;
  virtual void polygon(std::span<const Point> points, Color fill) = 0;  // convex
  virtual void cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) = 0;
  virtual void circle(Point center, float radius, Color fill, const Stroke& outline) = 0;
  virtual void text(Point at, std::string_view text, const TextStyle& style) = 0;
  // Row-major colours, one a cell, filling rect without gaps: a texture on screen, crisp rectangles or an
  // image in files.
  virtual void grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) = 0;
  virtual void push_clip(const Rect& rect) = 0;
  virtual void pop_clip() = 0;

  // Advance width and line height (1.55 times the size) of one line.
  virtual Point measure(std::string_view text, const TextStyle& style) const = 0;

  // What may be hovered and clicked; only the screen listens, the files ignore it.
  virtual void hit(const HitRegion& region) = 0;
  // Many equal cells at once; only the one under the mouse is ever made into a region.
  virtual void hit_grid(const HitGrid&) {}
  // True when the picture is drawn for a file: long labels are written in full there, nothing depends on the
  // mouse.
  virtual bool is_file() const = 0;

  // Type that asks to be smaller than this em size is drawn and measured in it on screen (lecture mode).
  void set_least_type(float size) { least_type_ = size; }
  float type_size(const TextStyle& style) const { return std::max(style.size, least_type_); }

 private:
  float least_type_ = 0;
};

constexpr float kLineHeight = 1.55f;  // of the text size

// The text cut with an ellipsis so that it is at most `width` wide.
std::string elided(const Canvas& canvas, std::string_view text, const TextStyle& style, float width);
// Broken at blanks into lines of at most `width`; returns the height used. Draws from `at` as top left.
float paragraph(Canvas& canvas, Point at, float width, std::string_view text, const TextStyle& style);
// The same without drawing: how high the paragraph will be.
float paragraph_height(const Canvas& canvas, float width, std::string_view text, const TextStyle& style);

}  // namespace glassformer
