// The canvas that writes PNG in a build without Cairo: FreeType fills every shape.
#include <cmath>

#include "app/canvas/dash.h"
#include "app/canvas/file_canvas.h"
#include "app/canvas/ft_cover.h"
#include "app/canvas/png.h"
#include "app/canvas/shape.h"
#include "app/canvas/text_place.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {

bool writes_pdf() {
  return false;
}

struct FileCanvas::Data {
  Data(const Theme& t, const FontFiles& fonts, const FigureOptions& o, float s)
      : theme(t),
        faces(fonts),
        options(o),
        scale(s),
        width(static_cast<int>(std::lround(o.size.x * s))),
        height(static_cast<int>(std::lround(o.size.y * s))),
        pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
               o.white ? rgb(0xFFFFFF) : t.paper),
        clips{{0, 0, static_cast<float>(width), static_cast<float>(height)}} {
    FT_Init_FreeType(&library);
  }
  ~Data() { FT_Done_FreeType(library); }

  Theme theme;
  FontFaces faces;
  FigureOptions options;
  float scale;
  int width, height;
  std::vector<Color> pixels;
  std::vector<Rect> clips;  // on whole pixels, each within the one before
  FT_Library library = nullptr;
  std::array<std::vector<FT_Face>, kFontCount> ft_faces;  // as the chains of `faces`; the library frees them

  Rect snapped(const Rect& r) const {
    const float x = std::round(r.x * scale), y = std::round(r.y * scale);
    return {x, y, std::round(r.right() * scale) - x, std::round(r.bottom() * scale) - y};
  }
  float line_width(float effective) const { return std::max(1.0f, std::round(effective * scale)); }

  void blend(int y, int x, int count, Color color, std::uint8_t covered) {
    const Rect& clip = clips.back();
    if (static_cast<float>(y) < clip.y || static_cast<float>(y) >= clip.bottom()) return;
    const int from = std::max(x, static_cast<int>(clip.x)),
              to = std::min(x + count, static_cast<int>(clip.right()));
    const int share = color.a * covered, all = 255 * 255;
    const auto mixed = [&](std::uint8_t under, std::uint8_t over) {
      return static_cast<std::uint8_t>((under * (all - share) + over * share + all / 2) / all);
    };
    for (int i = from; i < to; ++i) {
      Color& p =
          pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)];
      p = {mixed(p.r, color.r), mixed(p.g, color.g), mixed(p.b, color.b), 255};
    }
  }

  void fill(const Shape& shape, Color color) {
    if (shape.empty() || !color.visible()) return;
    shape.fill(library, width, height,
               [&](int y, int x, int count, std::uint8_t covered) { blend(y, x, count, color, covered); });
  }
  void fill(const Rect& r, Color color) {  // on whole pixels
    const Rect inside = intersection(r, clips.back());
    for (int y = static_cast<int>(inside.y); y < static_cast<int>(inside.bottom()); ++y)
      blend(y, static_cast<int>(inside.x), static_cast<int>(inside.width), color, 255);
  }
  // A path in device pixels.
  void stroke(std::span<const Point> path, const Stroke& s, float wide) {
    Shape shape;
    if (s.dashed) {
      for (const auto& [from, to] : dashes(path, s.dash * scale, kDashOff * scale))
        shape.add_stroke(std::array{from, to}, wide);
    } else {
      shape.add_stroke(path, wide);
    }
    fill(shape, s.color);
  }
  std::vector<Point> device(std::span<const Point> points) const {
    std::vector<Point> path;
    for (const Point& p : points) path.push_back(p * scale);
    return path;
  }

  FT_Face face(Font font, int file) {
    auto& chain = ft_faces[static_cast<std::size_t>(font)];
    const auto& files = faces.files().chains[static_cast<std::size_t>(font)];
    while (chain.size() < files.size()) {
      const FontFile& next = files[chain.size()];
      FT_Face opened = nullptr;
      FT_New_Face(library, next.path.c_str(), next.index, &opened);
      chain.push_back(opened);
    }
    return chain[static_cast<std::size_t>(file)];
  }

  // Its outline as the font has it, the pen on the baseline, in device pixels for an em of so many.
  void draw_glyph(FT_Face from, unsigned index, Point pen, float em, Color color) {
    if (!from || FT_Load_Glyph(from, index, FT_LOAD_NO_SCALE) != 0) return;
    if (from->glyph->format != FT_GLYPH_FORMAT_OUTLINE) return;
    FT_Outline& outline = from->glyph->outline;
    const auto larger = static_cast<FT_Fixed>(
        std::lround(static_cast<double>(em) * 64 * 65536 / static_cast<double>(from->units_per_EM)));
    const FT_Matrix scaled{larger, 0, 0, larger};
    FT_Outline_Transform(&outline, &scaled);
    FT_Outline_Translate(&outline, std::lround(pen.x * 64),
                         std::lround((static_cast<float>(height) - pen.y) * 64));
    cover_outline(library, outline, width, height,
                  [&](int y, int x, int count, std::uint8_t covered) { blend(y, x, count, color, covered); });
  }
};

FileCanvas::FileCanvas(FileKind kind, const Theme& theme, const FontFiles& fonts,
                       const FigureOptions& options, float scale) {
  if (kind == FileKind::pdf)
    throw Error("saving the figure",
                "this build of the program writes no PDF (it was made without Cairo); choose PNG or SVG");
  data_ = std::make_unique<Data>(theme, fonts, options, scale);
}

FileCanvas::~FileCanvas() = default;
const Theme& FileCanvas::theme() const {
  return data_->theme;
}
float FileCanvas::scale() const {
  return data_->scale;
}

void FileCanvas::rectangle(const Rect& rect, const Box& box) {
  Data& d = *data_;
  const Rect r = d.snapped(rect);
  if (r.width <= 0 || r.height <= 0) return;
  const float radius = std::min(box.radius * d.scale, std::min(r.width, r.height) / 2);
  if (box.fill.visible() && radius <= 0) d.fill(r, box.fill);
  if (box.fill.visible() && radius > 0) {
    Shape shape;
    shape.add(rounded_path(r, radius));
    d.fill(shape, box.fill);
  }
  if (box.hatch.visible()) {
    d.clips.push_back(intersection(r, d.clips.back()));
    const float period = std::max(3.0f, std::round(5 * d.scale)), end = r.right() + r.bottom();
    Shape lines;
    for (float sum = std::floor((r.x + r.y) / period) * period; sum <= end; sum += period)
      lines.add_stroke(std::array{Point{sum - r.y + 1, r.y}, Point{sum - r.bottom() + 1, r.bottom()}},
                       d.line_width(1));
    d.fill(lines, box.hatch);
    d.clips.pop_back();
  }
  if (!box.outline.visible()) return;
  // Rounded outlines may be 1.5 px wide, as on screen.
  const bool fine = box.radius > 0 && !box.dashed;
  const float wide = fine ? std::max(1.0f, std::round(box.outline_width * d.scale * 2) / 2)
                          : d.line_width(box.outline_width);
  const float half = std::min(wide, std::min(r.width, r.height)) / 2;
  d.stroke(rounded_path(r.inset(half), std::max(0.0f, radius - half)),
           {box.outline, box.outline_width, box.dashed}, 2 * half);
}

void FileCanvas::line(Point from, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  Point a = from * data_->scale, b = to * data_->scale;
  // Level and upright lines cover whole pixels.
  const float width = data_->line_width(stroke.width), half = width / 2;
  if (from.y == to.y) {
    a = {std::round(a.x), std::round(a.y - half) + half};
    b = {std::round(b.x), a.y};
  } else if (from.x == to.x) {
    a = {std::round(a.x - half) + half, std::round(a.y)};
    b = {a.x, std::round(b.y)};
  }
  data_->stroke(std::array{a, b}, stroke, width);
}

void FileCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2 || !stroke.color.visible()) return;
  data_->stroke(data_->device(points), stroke, data_->line_width(stroke.width));
}

void FileCanvas::polygon(std::span<const Point> points, Color fill) {
  if (points.size() < 3 || !fill.visible()) return;
  Shape shape;
  shape.add(data_->device(points));
  data_->fill(shape, fill);
}

void FileCanvas::cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) {
  polyline(cubic_path(from, control1, control2, to), stroke);
}

void FileCanvas::circle(Point center, float radius, Color fill, const Stroke& outline) {
  const Point c = center * data_->scale;
  const float r = radius * data_->scale;
  Shape shape;
  shape.add(circle_path(c, r));
  data_->fill(shape, fill);
  if (!outline.color.visible()) return;
  const float wide = data_->line_width(outline.width);
  std::vector<Point> path = circle_path(c, std::max(0.5f, r - wide / 2));
  path.push_back(path.front());
  data_->stroke(path, outline, wide);
}

void FileCanvas::text(Point at, std::string_view any_text, const TextStyle& style) {
  if (any_text.empty() || !style.color.visible()) return;
  const std::string text = printable(any_text);
  Data& d = *data_;
  const Point start = text_start(d.faces, at, text, style) * d.scale;
  const float em = style.size * d.scale, baseline = std::round(start.y);
  float pen = std::round(start.x);
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    const FontFaces::Glyph glyph = d.faces.glyph(style.font, c);
    if (glyph.file >= 0)
      d.draw_glyph(d.face(style.font, glyph.file), glyph.index, {pen, baseline}, em, style.color);
    else if (c >= 32)
      draw_missing_sign(*this, d.faces, {pen / d.scale, baseline / d.scale}, c, style);
    pen += d.faces.advance(style.font, c) * em;
  }
}

void FileCanvas::grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) {
  if (rows <= 0 || columns <= 0) return;
  const Rect r = data_->snapped(rect), inside = intersection(r, data_->clips.back());
  const auto cell = [](float at, float from, float length, int count) {
    return std::clamp(static_cast<int>((at + 0.5f - from) / length * static_cast<float>(count)), 0,
                      count - 1);
  };
  for (float y = inside.y; y < inside.bottom(); ++y)
    for (float x = inside.x; x < inside.right(); ++x) {
      const int at = cell(y, r.y, r.height, rows) * columns + cell(x, r.x, r.width, columns);
      data_->blend(static_cast<int>(y), static_cast<int>(x), 1, colors[static_cast<std::size_t>(at)], 255);
    }
}

void FileCanvas::push_clip(const Rect& rect) {
  data_->clips.push_back(intersection(data_->snapped(rect), data_->clips.back()));
}

void FileCanvas::pop_clip() {
  data_->clips.pop_back();
}

Point FileCanvas::measure(std::string_view text, const TextStyle& style) const {
  return {data_->faces.width(text, style.font, style.size), style.size * kLineHeight};
}

std::string FileCanvas::finish() {
  const std::string bytes = encode_png(data_->width, data_->height, data_->pixels);
  const double metres = data_->options.print_cm / 100;
  if (metres <= 0) return bytes;
  return with_density(bytes, static_cast<std::uint32_t>(std::lround(
                                 static_cast<double>(data_->options.size.x * data_->scale) / metres)));
}

Color FileCanvas::pixel(int x, int y) const {
  return data_->pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(data_->width) +
                       static_cast<std::size_t>(x)];
}

}  // namespace glassformer
