// A canvas that draws nothing and remembers what it was asked for: tests look for texts, boxes and hit
// regions in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/fonts/font_faces.h"

namespace glassformer {

class RecordingCanvas : public Canvas {
 public:
  struct Text {
    std::string text;
    TextStyle style;
    Rect box;  // advance width, from the top of the capitals to the baseline
  };
  struct Rectangle {
    Rect rect;
    Box box;
  };
  struct Grid {
    Rect rect;
    int rows, columns;
    std::vector<Color> colors;
  };

  explicit RecordingCanvas(const Theme& theme = light_theme(), bool file = false);

  const Theme& theme() const override { return theme_; }
  float scale() const override { return 1; }
  void rectangle(const Rect& rect, const Box& box) override { rectangles.push_back({rect, box}); }
  void line(Point from, Point to, const Stroke& stroke) override;
  void polyline(std::span<const Point> points, const Stroke& stroke) override;
  void polygon(std::span<const Point>, Color) override {}
  void cubic(Point from, Point, Point, Point to, const Stroke& stroke) override;
  void circle(Point, float, Color, const Stroke&) override {}
  void text(Point at, std::string_view text, const TextStyle& style) override;
  void grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) override;
  void push_clip(const Rect&) override { ++clips; }
  void pop_clip() override { --clips; }
  Point measure(std::string_view text, const TextStyle& style) const override;
  void hit(const HitRegion& region) override { regions.push_back(region); }
  void hit_grid(const HitGrid& region) override { hit_grids.push_back(region); }
  bool is_file() const override { return file_; }

  const Text* find(std::string_view text) const;  // the first with these words, null when there is none
  // What a person would hover at a point: the last region drawn there.
  std::optional<HitRegion> region_at(Point point) const;

  std::vector<Text> texts;
  std::vector<Rectangle> rectangles;
  std::vector<Grid> grids;
  std::vector<std::vector<Point>> lines;  // lines, polylines and curves (their ends)
  std::vector<Stroke> strokes;            // of the lines
  std::vector<HitRegion> regions;
  std::vector<HitGrid> hit_grids;
  int clips = 0;

 private:
  Theme theme_;
  bool file_;
  std::unique_ptr<FontFaces> faces_;
};

// Pairs of texts that lie over each other, as "one / other"; what no picture should have.
std::vector<std::string> overlapping_texts(const RecordingCanvas& canvas);
// Texts that reach out of an area.
std::vector<std::string> texts_outside(const RecordingCanvas& canvas, const Rect& area);

// Texts that a curve (a line of many points) runs through.
std::vector<std::string> texts_on_curves(const RecordingCanvas& canvas);
// Texts set smaller than this.
std::vector<std::string> texts_under(const RecordingCanvas& canvas, float size);
// Texts that were cut: they end in an ellipsis.
std::vector<std::string> cut_texts(const RecordingCanvas& canvas);

}  // namespace glassformer
