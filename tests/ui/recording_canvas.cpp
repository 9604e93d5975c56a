#include "tests/ui/recording_canvas.h"

#include "app/canvas/text_place.h"
#include "app/widgets/label_place.h"

namespace glassformer {

RecordingCanvas::RecordingCanvas(const Theme& theme, bool file)
    : theme_(theme), file_(file), faces_(std::make_unique<FontFaces>(find_font_files())) {}

void RecordingCanvas::line(Point from, Point to, const Stroke& stroke) {
  lines.push_back({from, to});
  strokes.push_back(stroke);
}

void RecordingCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  lines.emplace_back(points.begin(), points.end());
  strokes.push_back(stroke);
}

void RecordingCanvas::cubic(Point from, Point, Point, Point to, const Stroke& stroke) {
  line(from, to, stroke);
}

void RecordingCanvas::text(Point at, std::string_view text, const TextStyle& asked) {
  TextStyle style = asked;
  style.size = type_size(asked);
  const Point start = text_start(*faces_, at, text, style);
  const float height = faces_->capital_height(style.font) * style.size;
  texts.push_back({std::string(text), style, {start.x, start.y - height, measure(text, style).x, height}});
}

void RecordingCanvas::grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) {
  grids.push_back({rect, rows, columns, {colors.begin(), colors.end()}});
}

Point RecordingCanvas::measure(std::string_view text, const TextStyle& style) const {
  const float size = type_size(style);
  return {faces_->width(text, style.font, size), size * kLineHeight};
}

const RecordingCanvas::Text* RecordingCanvas::find(std::string_view wanted) const {
  for (const Text& text : texts) {
    if (text.text == wanted) return &text;
  }
  return nullptr;
}

std::optional<HitRegion> RecordingCanvas::region_at(Point point) const {
  for (auto grid = hit_grids.rbegin(); grid != hit_grids.rend(); ++grid) {
    if (auto region = region_in(*grid, point)) return region;
  }
  for (auto region = regions.rbegin(); region != regions.rend(); ++region) {
    if (region->rect.contains(point)) return *region;
  }
  return std::nullopt;
}

std::vector<std::string> overlapping_texts(const RecordingCanvas& canvas) {
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < canvas.texts.size(); ++i) {
    const Rect a = canvas.texts[i].box.inset(0.5f);
    for (std::size_t j = i + 1; j < canvas.texts.size(); ++j) {
      const Rect b = canvas.texts[j].box.inset(0.5f);
      if (a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()) {
        pairs.push_back(canvas.texts[i].text + " / " + canvas.texts[j].text);
      }
    }
  }
  return pairs;
}

std::vector<std::string> texts_outside(const RecordingCanvas& canvas, const Rect& area) {
  std::vector<std::string> outside;
  for (const RecordingCanvas::Text& text : canvas.texts) {
    const Rect& b = text.box;
    if (b.x < area.x - 0.5f || b.y < area.y - 0.5f || b.right() > area.right() + 0.5f ||
        b.bottom() > area.bottom() + 0.5f) {
      outside.push_back(text.text);
    }
  }
  return outside;
}

std::vector<std::string> texts_on_curves(const RecordingCanvas& canvas) {
  constexpr std::size_t kCurve = 8;  // fewer points: a frame, an axis, an outline
  std::vector<std::string> found;
  for (const RecordingCanvas::Text& text : canvas.texts) {
    const Rect box = text.box.inset(0.5f);
    for (const std::vector<Point>& line : canvas.lines)
      for (std::size_t i = 1; line.size() >= kCurve && i < line.size(); ++i)
        if (crosses(box, line[i - 1], line[i])) {
          found.push_back(text.text);
          i = line.size();
        }
  }
  return found;
}

std::vector<std::string> texts_under(const RecordingCanvas& canvas, float size) {
  std::vector<std::string> found;
  for (const RecordingCanvas::Text& text : canvas.texts)
    if (text.style.size < size) found.push_back(text.text);
  return found;
}

std::vector<std::string> cut_texts(const RecordingCanvas& canvas) {
  std::vector<std::string> found;
  for (const RecordingCanvas::Text& text : canvas.texts)
    if (text.text.ends_with("\u2026")) found.push_back(text.text);
  return found;
}

}  // namespace glassformer
