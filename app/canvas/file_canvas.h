// The canvas that writes PNG and PDF: through Cairo, or without it PNG alone, with FreeType. It needs no
// screen and may live on a worker thread; it opens its own fonts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/svg_canvas.h"
#include "app/fonts/font_faces.h"

namespace glassformer {

enum class FileKind { png, pdf };

bool writes_pdf();  // whether this build can

class FileCanvas : public Canvas {
 public:
  // PNG: `scale` device pixels in one effective pixel, 1 to 4. PDF: one point each, text stays text; throws
  // Error in a build that writes none.
  FileCanvas(FileKind kind, const Theme& theme, const FontFiles& fonts, const FigureOptions& options,
             float scale = 1);
  ~FileCanvas() override;

  const Theme& theme() const override;
  float scale() const override;
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

  // The bytes of the PNG or PDF. Call once, after drawing. Throws Error when it could not be drawn.
  std::string finish();
  // PNG only, for tests: the colour of a device pixel.
  Color pixel(int x, int y) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace glassformer
