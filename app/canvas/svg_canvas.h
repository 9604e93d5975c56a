// The canvas that writes SVG: shapes stay shapes and text stays text, one unit is one effective pixel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/fonts/font_faces.h"

namespace glassformer {

struct FigureOptions {
  Point size = {1000, 704};      // effective pixels
  bool white = false;            // white background instead of the theme's paper
  std::string title = {};        // into the file's metadata
  std::string description = {};  // likewise: what is seen, in sentences
  double print_cm = 0;           // width on paper; 0: one pixel of SVG, one point of PDF each
};

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(const Theme& theme, const FontFiles& fonts, const FigureOptions& options);

  const Theme& theme() const override { return theme_; }
  float scale() const override { return 1; }
  void rectangle(const Rect& rect, const Box& box) override;
  void line(Point from, Point to, const Stroke& stroke) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void polygon(std::span<const Point> points, Color fill) override;
  void cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) override;
  void circle(Point center, float radius, Color fill, const Stroke& outline) override;
  void text(Point at, std::string_view text, const TextStyle& style) override;
  void grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) override;
  void push_clip(const Rect& rect) override;
  void pop_clip() override;
  Point measure(std::string_view text, const TextStyle& style) const override;
  void hit(const HitRegion&) override {}
  bool is_file() const override { return true; }

  // The whole document. Call once, after drawing.
  std::string finish();

 private:
  void stroke_attributes(const Stroke& stroke);
  void hatch(const Rect& rect, float radius, Color color);

  Theme theme_;
  std::unique_ptr<FontFaces> faces_;
  FigureOptions options_;
  std::string body_, definitions_;
  int clips_ = 0, open_clips_ = 0;
};

}  // namespace glassformer
