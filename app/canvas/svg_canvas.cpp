#include "app/canvas/svg_canvas.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/canvas/png.h"
#include "app/canvas/text_place.h"
#include "engine/text/printable.h"

namespace glassformer {
namespace {

constexpr int kMostRects = 64 * 64;  // grids above are embedded as an image
constexpr float kImageScale = 3;     // pixels of the image in one of the figure, at least

// Two decimals, without trailing zeros, whatever the locale.
std::string number(float value) {
  char digits[48];
  const double rounded = std::round(static_cast<double>(value) * 100) / 100;
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, rounded == 0 ? 0.0 : rounded);
  return error == std::errc() ? std::string(digits, end) : "0";
}

std::string attribute(const char* name, float value) {
  return std::string(" ") + name + "=\"" + number(value) + '"';
}

std::string hex(Color c) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "#";
  for (int channel : {c.r, c.g, c.b}) {
    text += kDigits[channel >> 4];
    text += kDigits[channel & 15];
  }
  return text;
}

std::string paint(const char* name, Color c) {
  std::string text = std::string(" ") + name + "=\"" + hex(c) + '"';
  if (c.a != 255)
    text += std::string(" ") + name + "-opacity=\"" + number(static_cast<float>(c.a) / 255) + '"';
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr char kSigns[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j > bytes.size() ? '=' : kSigns[group >> (18 - 6 * j) & 63];
    }
  }
  return out;
}

std::vector<Color> enlarged(int rows, int columns, std::span<const Color> colors, int factor) {
  std::vector<Color> larger;
  larger.reserve(colors.size() * static_cast<std::size_t>(factor * factor));
  for (int y = 0; y < rows * factor; ++y) {
    for (int x = 0; x < columns * factor; ++x) {
      larger.push_back(colors[static_cast<std::size_t>(y / factor * columns + x / factor)]);
    }
  }
  return larger;
}

std::string place(const Rect& r) {
  return attribute("x", r.x) + attribute("y", r.y) + attribute("width", r.width) +
         attribute("height", r.height);
}

std::string points_attribute(std::span<const Point> points) {
  std::string text = " points=\"";
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i) text += ' ';
    text += number(points[i].x) + ',' + number(points[i].y);
  }
  return text + '"';
}

// The ends of the part of a falling line x + y = sum, given by their x, that lies in a rounded rectangle.
struct HatchLine {
  float from, to;
  bool visible() const { return to > from; }
};

HatchLine hatch_line(const Rect& r, float radius, float sum) {
  HatchLine line{std::max(r.x, sum - r.bottom()), std::min(r.right(), sum - r.y)};
  for (const float x : {r.x + radius, r.right() - radius}) {
    for (const float y : {r.y + radius, r.bottom() - radius}) {
      // Both ends may lie in the square of this corner; its circle ends them there.
      const float across = x + y - sum, reach = 2 * radius * radius - across * across;
      const float middle = (x + sum - y) / 2, half = std::sqrt(std::max(0.0f, reach)) / 2;
      const auto outside = [&](float at) {
        const float down = sum - at;
        return (x < r.center().x ? at < x : at > x) && (y < r.center().y ? down < y : down > y);
      };
      if (outside(line.from)) line.from = std::max(line.from, middle - half);
      if (outside(line.to)) line.to = std::min(line.to, middle + half);
    }
  }
  return line;
}

// All of them as one path, on the same raster everywhere, so that neighbours join.
std::string hatch_lines(const Rect& rect, float radius) {
  constexpr float kPeriod = 5;
  std::string path;
  const float end = rect.right() + rect.bottom();
  for (float sum = (std::floor((rect.x + rect.y) / kPeriod) + 1) * kPeriod; sum < end; sum += kPeriod) {
    const HatchLine line = hatch_line(rect, radius, sum);
    if (line.visible())
      path += 'M' + number(line.from) + ' ' + number(sum - line.from) + 'L' + number(line.to) + ' ' +
              number(sum - line.to);
  }
  return path;
}

const char* family(Font font) {
  switch (font) {
    case Font::regular:
      return " font-family=\"Inter, sans-serif\"";
    case Font::semibold:
      return " font-family=\"Inter, sans-serif\" font-weight=\"600\"";
    case Font::mono:
      return " font-family=\"'JetBrains Mono', monospace\"";
  }
  return "";
}

}  // namespace

SvgCanvas::SvgCanvas(const Theme& theme, const FontFiles& fonts, const FigureOptions& options)
    : theme_(theme), faces_(std::make_unique<FontFaces>(fonts)), options_(options) {
  rectangle({0, 0, options.size.x, options.size.y}, {.fill = options.white ? rgb(0xFFFFFF) : theme.paper});
}

// Lines, not a <pattern>: what prints a page makes pictures of every shape that a pattern fills.
void SvgCanvas::hatch(const Rect& rect, float radius, Color color) {
  const std::string lines = hatch_lines(rect, radius);
  if (!lines.empty()) body_ += "<path d=\"" + lines + '"' + paint("stroke", color) + "/>\n";
}

void SvgCanvas::rectangle(const Rect& rect, const Box& box) {
  if (rect.width <= 0 || rect.height <= 0) return;
  const float radius = std::min(box.radius, std::min(rect.width, rect.height) / 2);
  const auto shape = [&](const Rect& r, float rounding, const std::string& look) {
    body_ += "<rect" + place(r) +
             (rounding > 0 ? attribute("rx", rounding) : " shape-rendering=\"crispEdges\"") + look + "/>\n";
  };
  if (box.fill.visible()) shape(rect, radius, paint("fill", box.fill));
  if (box.hatch.visible()) hatch(rect, radius, box.hatch);
  if (!box.outline.visible()) return;
  const float half = std::min(box.outline_width, std::min(rect.width, rect.height)) / 2;
  std::string look = " fill=\"none\"" + paint("stroke", box.outline) + attribute("stroke-width", 2 * half);
  if (box.dashed) look += " stroke-dasharray=\"4 3\"";
  shape(rect.inset(half), std::max(0.0f, radius - half), look);
}

void SvgCanvas::stroke_attributes(const Stroke& stroke) {
  body_ += " fill=\"none\"" + paint("stroke", stroke.color) + attribute("stroke-width", stroke.width);
  if (stroke.dashed) body_ += " stroke-dasharray=\"" + number(stroke.dash) + " 3\"";
}

void SvgCanvas::line(Point from, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  // Thin level and upright lines lie on the pixel that the screen would use.
  const float half = std::round(std::max(1.0f, stroke.width)) / 2;
  if (from.y == to.y) from.y = to.y = std::round(from.y - half) + half;
  if (from.x == to.x) from.x = to.x = std::round(from.x - half) + half;
  body_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y);
  stroke_attributes(stroke);
  body_ += "/>\n";
}

void SvgCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2 || !stroke.color.visible()) return;
  body_ += "<polyline" + points_attribute(points);
  stroke_attributes(stroke);
  body_ += " stroke-linejoin=\"round\"/>\n";
}

void SvgCanvas::polygon(std::span<const Point> points, Color fill) {
  if (points.size() < 3 || !fill.visible()) return;
  body_ += "<polygon" + points_attribute(points) + paint("fill", fill) + "/>\n";
}

void SvgCanvas::cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  body_ += "<path d=\"M" + number(from.x) + ' ' + number(from.y) + 'C' + number(control1.x) + ' ' +
           number(control1.y) + ' ' + number(control2.x) + ' ' + number(control2.y) + ' ' + number(to.x) +
           ' ' + number(to.y) + '"';
  stroke_attributes(stroke);
  body_ += "/>\n";
}

void SvgCanvas::circle(Point center, float radius, Color fill, const Stroke& outline) {
  const bool ring = outline.color.visible();
  const float inner = ring ? radius - outline.width / 2 : radius;
  body_ += "<circle" + attribute("cx", center.x) + attribute("cy", center.y) + attribute("r", inner);
  body_ += fill.visible() ? paint("fill", fill) : " fill=\"none\"";
  if (ring) body_ += paint("stroke", outline.color) + attribute("stroke-width", outline.width);
  body_ += "/>\n";
}

void SvgCanvas::text(Point at, std::string_view text, const TextStyle& style) {
  if (text.empty() || !style.color.visible()) return;
  // The anchor keeps words in place when the reader's machine has another font.
  TextStyle left = style;
  left.x = AlignX::left;
  const Point start = text_start(*faces_, at, text, left);
  body_ += "<text" + attribute("x", start.x) + attribute("y", std::round(start.y)) + family(style.font) +
           attribute("font-size", style.size) + paint("fill", style.color);
  if (style.x == AlignX::center) body_ += " text-anchor=\"middle\"";
  if (style.x == AlignX::right) body_ += " text-anchor=\"end\"";
  // Viewers drop blanks at the ends and doubled ones unless xml:space preserves them.
  if (text.front() == ' ' || text.back() == ' ' || text.find("  ") != text.npos)
    body_ += " xml:space=\"preserve\"";
  body_ += '>' + escaped(text) + "</text>\n";
}

void SvgCanvas::grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) {
  if (rows <= 0 || columns <= 0) return;
  if (rows * columns > kMostRects) {
    // Some viewers smooth images in spite of image-rendering: cells of several pixels keep their edges.
    const int factor =
        std::clamp(static_cast<int>(std::ceil(kImageScale * rect.width / static_cast<float>(columns))), 1, 8);
    const std::vector<Color> larger = enlarged(rows, columns, colors, factor);
    body_ +=
        "<image" + place(rect) +
        " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64," +
        base64(encode_png(columns * factor, rows * factor, larger)) + "\"/>\n";
    return;
  }
  const float width = rect.width / static_cast<float>(columns),
              height = rect.height / static_cast<float>(rows);
  body_ += "<g shape-rendering=\"crispEdges\">\n";
  // Some viewers leave hairlines between cells: behind all lies the darkest colour, and each reaches under
  // the next ones.
  const auto dark = [](Color c) { return -(299 * c.r + 587 * c.g + 114 * c.b); };
  const bool whole = std::ranges::all_of(colors, [](Color c) { return c.a == 255; });
  if (whole) body_ += "<rect" + place(rect) + paint("fill", std::ranges::max(colors, {}, dark)) + "/>\n";
  const float under = whole ? 0.5f : 0;
  for (int row = 0; row < rows; ++row) {
    // Equal neighbours in a row become one rectangle.
    for (int column = 0, end = 0; column < columns; column = end) {
      const std::size_t first = static_cast<std::size_t>(row * columns);
      const Color color = colors[first + static_cast<std::size_t>(column)];
      for (end = column + 1; end < columns && colors[first + static_cast<std::size_t>(end)] == color;) ++end;
      if (!color.visible()) continue;
      const Rect run{rect.x + static_cast<float>(column) * width, rect.y + static_cast<float>(row) * height,
                     static_cast<float>(end - column) * width + (end < columns ? under : 0),
                     height + (row + 1 < rows ? under : 0)};
      body_ += "<rect" + place(run) + paint("fill", color) + "/>\n";
    }
  }
  body_ += "</g>\n";
}

void SvgCanvas::push_clip(const Rect& rect) {
  const std::string id = "clip" + std::to_string(clips_++);
  definitions_ += "<clipPath id=\"" + id + "\"><rect" + place(rect) + "/></clipPath>\n";
  body_ += "<g clip-path=\"url(#" + id + ")\">\n";
  ++open_clips_;
}

void SvgCanvas::pop_clip() {
  if (open_clips_ == 0) return;
  --open_clips_;
  body_ += "</g>\n";
}

Point SvgCanvas::measure(std::string_view text, const TextStyle& style) const {
  return {faces_->width(text, style.font, style.size), style.size * kLineHeight};
}

std::string SvgCanvas::finish() {
  while (open_clips_ > 0) pop_clip();
  const std::string width = number(options_.size.x), height = number(options_.size.y);
  const double cm = options_.print_cm;
  const auto printed_height = static_cast<float>(cm * static_cast<double>(options_.size.y / options_.size.x));
  const std::string page_width = cm > 0 ? number(static_cast<float>(cm)) + "cm" : width;
  const std::string page_height = cm > 0 ? number(printed_height) + "cm" : height;
  std::string document =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
      page_width + "\" height=\"" + page_height + "\" viewBox=\"0 0 " + width + ' ' + height +
      "\" style=\"font-kerning:none;font-variant-ligatures:none;white-space:pre\">\n";
  if (!options_.title.empty()) document += "<title>" + escaped(options_.title) + "</title>\n";
  if (!options_.description.empty()) document += "<desc>" + escaped(options_.description) + "</desc>\n";
  if (!definitions_.empty()) document += "<defs>\n" + definitions_ + "</defs>\n";
  return document + body_ + "</svg>\n";
}

}  // namespace glassformer
