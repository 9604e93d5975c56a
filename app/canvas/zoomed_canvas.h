// A canvas within another one: what is drawn on it lies there at `origin`, `zoom` times as large. Type that
// would be smaller than the other's least is that large, and measured so.
#pragma once

#include "app/canvas/canvas.h"

namespace glassformer {

class ZoomedCanvas : public Canvas {
 public:
  // `draws` false: nothing is drawn, it only finds out.
  ZoomedCanvas(Canvas& other, Point origin, float zoom, bool draws = true);

  const Theme& theme() const override { return other_->theme(); }
  float scale() const override { return other_->scale() * zoom_; }
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
  void hit(const HitRegion& region) override;
  void hit_grid(const HitGrid& grid) override;
  bool is_file() const override { return other_->is_file(); }

  // Of the first line of type as large as a title; below 0: there is none.
  float title_y() const { return title_y_; }

 private:
  Point there(Point at) const { return at * zoom_ + origin_; }
  Rect there(const Rect& rect) const;
  Stroke there(Stroke stroke) const;
  TextStyle there(TextStyle style) const;

  Canvas* other_;
  Point origin_;
  float zoom_;
  bool draws_;
  float title_y_ = -1;
};

}  // namespace glassformer
