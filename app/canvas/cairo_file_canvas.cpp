#include "app/canvas/file_canvas.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/canvas/dash.h"
#include "app/canvas/png.h"
#include "app/canvas/text_place.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::uint32_t argb(Color c) {
  const auto premultiplied = [&c](std::uint8_t channel) {
    return (static_cast<std::uint32_t>(channel) * c.a + 127) / 255;
  };
  return static_cast<std::uint32_t>(c.a) << 24 | premultiplied(c.r) << 16 | premultiplied(c.g) << 8 |
         premultiplied(c.b);
}

cairo_surface_t* image_of(int width, int height, std::span<const Color> colors) {
  cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) return image;
  unsigned char* data = cairo_image_surface_get_data(image);
  const int stride = cairo_image_surface_get_stride(image);
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(data + y * stride);
    for (int x = 0; x < width; ++x) row[x] = argb(colors[static_cast<std::size_t>(y * width + x)]);
  }
  cairo_surface_mark_dirty(image);
  return image;
}

cairo_font_face_t* open_face(const FontFile& file) {
  FcPattern* pattern = FcPatternCreate();
  FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(file.path.c_str()));
  FcPatternAddInteger(pattern, FC_INDEX, file.index);
  cairo_font_face_t* face = cairo_ft_font_face_create_for_pattern(pattern);
  FcPatternDestroy(pattern);
  return face;
}

}  // namespace

bool writes_pdf() {
  return true;
}

struct FileCanvas::Data {
  Data(FileKind k, const Theme& t, const FontFiles& fonts, const FigureOptions& o, float s)
      : kind(k), theme(t), faces(fonts), options(o), scale(k == FileKind::pdf ? 1 : s) {}
  ~Data() {
    for (auto& chain : cairo_faces) {
      for (cairo_font_face_t* face : chain) cairo_font_face_destroy(face);
    }
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }

  FileKind kind;
  Theme theme;
  FontFaces faces;
  FigureOptions options;
  float scale;
  cairo_surface_t* surface = nullptr;
  cairo_t* context = nullptr;
  std::string bytes;                                                    // of a PDF
  std::array<std::vector<cairo_font_face_t*>, kFontCount> cairo_faces;  // as the chains of `faces`

  // Drawing happens in device pixels.
  Point device(Point p) const { return p * scale; }
  Rect snapped(const Rect& r) const {
    const float x = std::round(r.x * scale), y = std::round(r.y * scale);
    return {x, y, std::round(r.right() * scale) - x, std::round(r.bottom() * scale) - y};
  }
  // PNG lines are whole pixels wide as on screen, PDF lines exact.
  float width(float effective) const {
    return kind == FileKind::pdf ? effective : std::max(1.0f, std::round(effective * scale));
  }
  void source(Color c) const {
    cairo_set_source_rgba(context, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
  }

  void path(const Rect& r, float radius) const {
    if (radius <= 0) return cairo_rectangle(context, r.x, r.y, r.width, r.height);
    constexpr double kQuarter = std::numbers::pi / 2;
    const double left = r.x + radius, right = r.right() - radius, top = r.y + radius,
                 bottom = r.bottom() - radius;
    cairo_new_sub_path(context);
    cairo_arc(context, right, top, radius, -kQuarter, 0);
    cairo_arc(context, right, bottom, radius, 0, kQuarter);
    cairo_arc(context, left, bottom, radius, kQuarter, 2 * kQuarter);
    cairo_arc(context, left, top, radius, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(context);
  }

  void stroke(const Stroke& s) const { stroke(s, width(s.width)); }
  void stroke(const Stroke& s, float device_width) const {
    source(s.color);
    cairo_set_line_width(context, device_width);
    const double dash[] = {s.dash * scale, kDashOff * scale};
    cairo_set_dash(context, dash, s.dashed ? 2 : 0, 0);
    cairo_stroke(context);
  }

  void hatch(const Rect& r, Color color) const {
    const float period = std::max(3.0f, std::round(5 * scale)), end = r.right() + r.bottom();
    cairo_save(context);
    cairo_rectangle(context, r.x, r.y, r.width, r.height);
    cairo_clip(context);
    // Lines x + y = a multiple of the period, through the centres of pixels as on screen.
    for (float sum = std::floor((r.x + r.y) / period) * period; sum <= end; sum += period) {
      cairo_move_to(context, sum - r.y + 1, r.y);
      cairo_line_to(context, sum - r.bottom() + 1, r.bottom());
    }
    stroke({.color = color, .width = 1});
    cairo_restore(context);
  }

  cairo_font_face_t* face(Font font, int file) {
    auto& chain = cairo_faces[static_cast<std::size_t>(font)];
    const auto& files = faces.files().chains[static_cast<std::size_t>(font)];
    while (chain.size() < files.size()) chain.push_back(open_face(files[chain.size()]));
    return chain[static_cast<std::size_t>(file)];
  }
};

FileCanvas::FileCanvas(FileKind kind, const Theme& theme, const FontFiles& fonts,
                       const FigureOptions& options, float scale)
    : data_(std::make_unique<Data>(kind, theme, fonts, options, scale)) {
  Data& d = *data_;
  const double width = static_cast<double>(options.size.x), height = static_cast<double>(options.size.y);
  constexpr double kPointsPerCm = 72 / 2.54;
  const double point = options.print_cm > 0 ? options.print_cm * kPointsPerCm / width : 1;
  if (kind == FileKind::pdf) {
    d.surface = cairo_pdf_surface_create_for_stream(append, &d.bytes, width * point, height * point);
    // What every reader knows; later releases of cairo pack the same otherwise.
    cairo_pdf_surface_restrict_to_version(d.surface, CAIRO_PDF_VERSION_1_4);
    if (!options.title.empty())
      cairo_pdf_surface_set_metadata(d.surface, CAIRO_PDF_METADATA_TITLE, printable(options.title).c_str());
    // A fixed date: the same picture gives the same file.
    cairo_pdf_surface_set_metadata(d.surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  } else {
    d.surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                           static_cast<int>(std::lround(options.size.x * d.scale)),
                                           static_cast<int>(std::lround(options.size.y * d.scale)));
  }
  d.context = cairo_create(d.surface);
  if (kind == FileKind::pdf) cairo_scale(d.context, point, point);
  cairo_font_options_t* text = cairo_font_options_create();
  cairo_font_options_set_hint_style(text, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(text, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(text, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(d.context, text);
  cairo_font_options_destroy(text);
  cairo_set_line_join(d.context, CAIRO_LINE_JOIN_ROUND);
  d.source(options.white ? rgb(0xFFFFFF) : theme.paper);
  cairo_paint(d.context);
}

FileCanvas::~FileCanvas() = default;
const Theme& FileCanvas::theme() const {
  return data_->theme;
}
float FileCanvas::scale() const {
  return data_->scale;
}

void FileCanvas::rectangle(const Rect& rect, const Box& box) {
  const Rect r = data_->snapped(rect);
  if (r.width <= 0 || r.height <= 0) return;
  const float radius = std::min(box.radius * data_->scale, std::min(r.width, r.height) / 2);
  if (box.fill.visible()) {
    data_->source(box.fill);
    data_->path(r, radius);
    cairo_fill(data_->context);
  }
  if (box.hatch.visible()) data_->hatch(r, box.hatch);
  if (!box.outline.visible()) return;
  // Rounded outlines may be 1.5 px wide, as on screen.
  const bool fine = box.radius > 0 && !box.dashed;
  const float wide = fine ? std::max(1.0f, std::round(box.outline_width * data_->scale * 2) / 2)
                          : data_->width(box.outline_width);
  const float half = std::min(wide, std::min(r.width, r.height)) / 2;
  data_->path(r.inset(half), std::max(0.0f, radius - half));
  data_->stroke({box.outline, box.outline_width, box.dashed}, 2 * half);
}

void FileCanvas::line(Point from, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  Point a = data_->device(from), b = data_->device(to);
  // Level and upright lines cover whole pixels.
  const float width = data_->width(stroke.width), half = width / 2;
  if (from.y == to.y) {
    a = {std::round(a.x), std::round(a.y - half) + half};
    b = {std::round(b.x), a.y};
  } else if (from.x == to.x) {
    a = {std::round(a.x - half) + half, std::round(a.y)};
    b = {a.x, std::round(b.y)};
  }
  cairo_move_to(data_->context, a.x, a.y);
  cairo_line_to(data_->context, b.x, b.y);
  data_->stroke(stroke);
}

void FileCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2 || !stroke.color.visible()) return;
  for (const Point& point : points) {
    const Point p = data_->device(point);
    cairo_line_to(data_->context, p.x, p.y);
  }
  data_->stroke(stroke);
}

void FileCanvas::polygon(std::span<const Point> points, Color fill) {
  if (points.size() < 3 || !fill.visible()) return;
  for (const Point& point : points) {
    const Point p = data_->device(point);
    cairo_line_to(data_->context, p.x, p.y);
  }
  data_->source(fill);
  cairo_fill(data_->context);
}

void FileCanvas::cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  const Point a = data_->device(from), b = data_->device(control1), c = data_->device(control2),
              d = data_->device(to);
  cairo_move_to(data_->context, a.x, a.y);
  cairo_curve_to(data_->context, b.x, b.y, c.x, c.y, d.x, d.y);
  data_->stroke(stroke);
}

void FileCanvas::circle(Point center, float radius, Color fill, const Stroke& outline) {
  const Point c = data_->device(center);
  const double r = static_cast<double>(radius * data_->scale);
  if (fill.visible()) {
    data_->source(fill);
    cairo_arc(data_->context, c.x, c.y, r, 0, 2 * std::numbers::pi);
    cairo_fill(data_->context);
  }
  if (!outline.color.visible()) return;
  cairo_arc(data_->context, c.x, c.y, std::max(0.5, r - static_cast<double>(data_->width(outline.width)) / 2),
            0, 2 * std::numbers::pi);
  data_->stroke(outline);
}

void FileCanvas::text(Point at, std::string_view any_text, const TextStyle& style) {
  if (any_text.empty() || !style.color.visible()) return;
  const std::string text = printable(any_text);  // the library refuses bytes that are not UTF-8
  Data& d = *data_;
  const Point start = d.device(text_start(d.faces, at, text, style));
  const bool pdf = d.kind == FileKind::pdf;
  double pen = static_cast<double>(pdf ? start.x : std::round(start.x));
  const double baseline = static_cast<double>(std::round(start.y));
  const double em = static_cast<double>(style.size * d.scale);
  d.source(style.color);

  // Runs of one font file each: text in a PDF, outlines in a PNG, where they may lie between pixels as on
  // screen.
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;
  std::size_t run_start = 0, i = 0;
  int run_file = -1;
  std::vector<std::pair<float, char32_t>> missing;
  const auto flush = [&](std::size_t end) {
    if (!glyphs.empty()) {
      cairo_set_font_face(d.context, d.face(style.font, run_file));
      cairo_set_font_size(d.context, em);
      if (pdf) {
        cairo_show_text_glyphs(d.context, text.data() + run_start, static_cast<int>(end - run_start),
                               glyphs.data(), static_cast<int>(glyphs.size()), clusters.data(),
                               static_cast<int>(clusters.size()), static_cast<cairo_text_cluster_flags_t>(0));
      } else {
        cairo_glyph_path(d.context, glyphs.data(), static_cast<int>(glyphs.size()));
        cairo_fill(d.context);
      }
    }
    glyphs.clear();
    clusters.clear();
    run_start = end;
  };
  while (i < text.size()) {
    const std::size_t from = i;
    const char32_t c = next_code_point(text, i);
    FontFaces::Glyph glyph = d.faces.glyph(style.font, c);
    if (glyph.file < 0 && c >= 32) missing.emplace_back(static_cast<float>(pen), c);
    if (glyph.file != run_file) {
      flush(from);
      run_file = glyph.file;
    }
    if (glyph.file >= 0) {
      glyphs.push_back({glyph.index, pen, baseline});
      clusters.push_back({static_cast<int>(i - from), 1});
    } else {
      run_start = i;
    }
    pen += static_cast<double>(d.faces.advance(style.font, c)) * em;
  }
  flush(text.size());
  for (const auto& [x, sign] : missing)
    draw_missing_sign(*this, d.faces,
                      {x / static_cast<float>(d.scale), static_cast<float>(baseline / d.scale)}, sign, style);
}

void FileCanvas::grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) {
  if (rows <= 0 || columns <= 0) return;
  const Rect r = data_->snapped(rect);
  cairo_t* context = data_->context;
  cairo_surface_t* image = image_of(columns, rows, colors);
  cairo_save(context);
  cairo_rectangle(context, r.x, r.y, r.width, r.height);
  cairo_clip(context);
  cairo_translate(context, r.x, r.y);
  cairo_scale(context, r.width / static_cast<float>(columns), r.height / static_cast<float>(rows));
  cairo_set_source_surface(context, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD);
  cairo_paint(context);
  cairo_restore(context);
  cairo_surface_destroy(image);
}

void FileCanvas::push_clip(const Rect& rect) {
  const Rect r = data_->snapped(rect);
  cairo_save(data_->context);
  cairo_rectangle(data_->context, r.x, r.y, r.width, r.height);
  cairo_clip(data_->context);
}

void FileCanvas::pop_clip() {
  cairo_restore(data_->context);
}

Point FileCanvas::measure(std::string_view text, const TextStyle& style) const {
  return {data_->faces.width(text, style.font, style.size), style.size * kLineHeight};
}

std::string FileCanvas::finish() {
  std::string bytes;
  if (data_->kind == FileKind::png) {
    cairo_surface_flush(data_->surface);
    cairo_surface_write_to_png_stream(data_->surface, append, &bytes);
    const double metres = data_->options.print_cm / 100;
    if (metres > 0 && !bytes.empty())
      bytes = with_density(bytes, static_cast<std::uint32_t>(std::lround(
                                      static_cast<double>(data_->options.size.x * data_->scale) / metres)));
  } else {
    cairo_surface_finish(data_->surface);
    bytes = std::move(data_->bytes);
  }
  const cairo_status_t status = cairo_status(data_->context);
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error("saving the figure", std::string("it could not be drawn (") + cairo_status_to_string(status) +
                                         "). Try a smaller scale or another format.");
  }
  return bytes;
}

Color FileCanvas::pixel(int x, int y) const {
  cairo_surface_flush(data_->surface);
  const unsigned char* data = cairo_image_surface_get_data(data_->surface);
  const auto* row =
      reinterpret_cast<const std::uint32_t*>(data + y * cairo_image_surface_get_stride(data_->surface));
  return rgb(row[x] & 0xFFFFFF);
}

}  // namespace glassformer
