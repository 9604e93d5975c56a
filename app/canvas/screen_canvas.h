// The canvas on screen: shapes go to an ImDrawList, hit regions are collected for the mouse and for tests.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/fonts/baked_fonts.h"

struct ImDrawList;

namespace glassformer {

class Textures;  // app/canvas/textures.h

struct ScreenCanvasOptions {
  Point origin;     // device pixels: where (0, 0) of the picture lies on screen; scrolling moves it
  float scale = 1;  // font scale, as the fonts were baked
  Textures* textures = nullptr;  // null: grids are drawn as rectangles
};

class ScreenCanvas : public Canvas {
 public:
  ScreenCanvas(ImDrawList& list, const Theme& theme, BakedFonts& fonts, const ScreenCanvasOptions& options);

  const Theme& theme() const override { return *theme_; }
  float scale() const override { return scale_; }
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
  bool is_file() const override { return false; }

  // From here on what may be hit is changed by this: the same picture is there twice. Null: no longer.
  void alter_hits(AlterHit alter) { alter_hit_ = std::move(alter); }
  Point origin() const { return origin_; }
  ImDrawList& list() { return *list_; }
  BakedFonts& fonts() { return *fonts_; }

  // What answers to the mouse, in the order drawn. Rects are device pixels of the screen.
  struct Hit {
    std::optional<HitRegion> region;  // one region, or
    std::optional<HitGrid> grid;      // many equal ones
    Rect clip;                        // what lies outside does not answer
  };
  const std::vector<Hit>& hits() const { return hits_; }
  // Where the unclipped parts of lines of text are: device pixels of the screen.
  const std::vector<Rect>& texts() const { return texts_; }
  // The topmost region under a point of the screen (device pixels).
  std::optional<HitRegion> region_at(Point screen) const;
  // By label; regions that are clipped away are not found. Grids are searched cell by cell: for tests.
  std::optional<HitRegion> find(std::string_view label) const;
  // One region, also when it is clipped away where `clipped` says so.
  std::optional<Hit> hit_called(std::string_view label, bool clipped) const;
  // Every label, in the order drawn: for tests.
  std::vector<std::string> labels() const;

 private:
  Point device(Point p) const;
  Rect snapped(const Rect& rect) const;    // whole device pixels
  Rect on_screen(const Rect& rect) const;  // device pixels, not rounded
  Rect in_clip(const Rect& device_rect) const;
  float width_px(float width) const;  // whole device pixels, at least 1
  void dash(std::span<const Point> device_points, const Stroke& stroke);
  void segment(Point device_from, Point device_to, Color color, float device_width);
  void hatch(const Rect& device_rect, Color color);
  void outline(const Rect& device_rect, const Box& box);

  ImDrawList* list_;
  const Theme* theme_;
  BakedFonts* fonts_;
  Point origin_;
  float scale_;
  Textures* textures_;
  std::vector<Rect> clips_;  // device pixels, each inside the one before
  std::vector<Hit> hits_;
  std::vector<Rect> texts_;
  AlterHit alter_hit_;
};

}  // namespace glassformer
