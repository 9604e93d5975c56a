#include "app/canvas/screen_canvas.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/canvas/dash.h"
#include "app/canvas/text_place.h"
#include "app/canvas/textures.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr std::size_t kSmallGrid = 16;  // cells that are cheaper as rectangles than as a texture

ImU32 im(Color c) {
  return IM_COL32(c.r, c.g, c.b, c.a);
}
ImVec2 im(Point p) {
  return {p.x, p.y};
}

}  // namespace

ScreenCanvas::ScreenCanvas(ImDrawList& list, const Theme& theme, BakedFonts& fonts,
                           const ScreenCanvasOptions& options)
    : list_(&list),
      theme_(&theme),
      fonts_(&fonts),
      origin_(options.origin),
      scale_(options.scale),
      textures_(options.textures) {}

Point ScreenCanvas::device(Point p) const {
  return p * scale_ + origin_;
}

Rect ScreenCanvas::snapped(const Rect& rect) const {
  const Point from = device({rect.x, rect.y}), to = device({rect.right(), rect.bottom()});
  const float x = std::round(from.x), y = std::round(from.y);
  return {x, y, std::round(to.x) - x, std::round(to.y) - y};
}

Rect ScreenCanvas::on_screen(const Rect& rect) const {
  const Point from = device({rect.x, rect.y});
  return {from.x, from.y, rect.width * scale_, rect.height * scale_};
}

float ScreenCanvas::width_px(float width) const {
  return std::max(1.0f, std::round(width * scale_));
}

void ScreenCanvas::rectangle(const Rect& rect, const Box& box) {
  const Rect r = snapped(rect);
  if (r.width <= 0 || r.height <= 0) return;
  const float radius = std::min(box.radius * scale_, std::min(r.width, r.height) / 2);
  if (box.fill.visible()) list_->AddRectFilled({r.x, r.y}, {r.right(), r.bottom()}, im(box.fill), radius);
  if (box.hatch.visible()) hatch(r, box.hatch);
  if (box.outline.visible()) outline(r, box);
}

// The hatch lies in the font's texture, in phase with the whole screen, so that neighbours run on.
void ScreenCanvas::hatch(const Rect& r, Color color) {
  const BakedFonts::Hatch& tile = fonts_->hatch();
  if (tile.tile == 0) return;
  const auto phase = [&tile](float v) {
    const float period = static_cast<float>(tile.period);
    return v - std::floor(v / period) * period;
  };
  const float step = static_cast<float>(tile.tile - tile.period);
  for (float y = r.y; y < r.bottom(); y += step) {
    for (float x = r.x; x < r.right(); x += step) {
      const float width = std::min(step, r.right() - x), height = std::min(step, r.bottom() - y);
      const ImVec2 uv{tile.u0 + phase(x) * tile.texel_u, tile.v0 + phase(y) * tile.texel_v};
      list_->PrimReserve(6, 4);
      list_->PrimRectUV({x, y}, {x + width, y + height}, uv,
                        {uv.x + width * tile.texel_u, uv.y + height * tile.texel_v}, im(color));
    }
  }
}

void ScreenCanvas::outline(const Rect& r, const Box& box) {
  // Rounded outlines may be 1.5 px wide: few of them, and their outer edge stays on whole pixels.
  const float wide = box.radius > 0 && !box.dashed
                         ? std::max(1.0f, std::round(box.outline_width * scale_ * 2) / 2)
                         : width_px(box.outline_width);
  const float width = std::min(wide, std::min(r.width, r.height) / 2);
  const float radius = std::max(0.0f, std::min(box.radius * scale_, std::min(r.width, r.height) / 2));
  const ImU32 color = im(box.outline);
  if (box.dashed) {
    const float half = width / 2;
    const Rect middle = r.inset(half);
    const std::vector<Point> path = rounded_path(middle, std::max(0.0f, radius - half));
    dash(path, {box.outline, box.outline_width, true});
  } else if (radius < 1) {
    list_->AddRectFilled({r.x, r.y}, {r.right(), r.y + width}, color);
    list_->AddRectFilled({r.x, r.bottom() - width}, {r.right(), r.bottom()}, color);
    list_->AddRectFilled({r.x, r.y + width}, {r.x + width, r.bottom() - width}, color);
    list_->AddRectFilled({r.right() - width, r.y + width}, {r.right(), r.bottom() - width}, color);
  } else {
    // ImGui draws along the middle of a line half a pixel inside the rectangle.
    const float by = (width - 1) / 2;
    list_->AddRect({r.x + by, r.y + by}, {r.right() - by, r.bottom() - by}, color,
                   std::max(0.5f, radius - width / 2), 0, width);
  }
}

void ScreenCanvas::dash(std::span<const Point> points, const Stroke& stroke) {
  const float width = width_px(stroke.width);
  for (const auto& [from, to] : dashes(points, stroke.dash * scale_, kDashOff * scale_)) {
    segment(from, to, stroke.color, width);
  }
}

// ImGui's AddLine moves its ends by half a pixel; a polyline stays where it is.
void ScreenCanvas::segment(Point from, Point to, Color color, float width) {
  const ImVec2 ends[] = {im(from), im(to)};
  list_->AddPolyline(ends, 2, im(color), 0, width);
}

void ScreenCanvas::line(Point from, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  const Point a = device(from), b = device(to);
  const float width = width_px(stroke.width);
  const bool level = std::abs(a.y - b.y) < 0.01f, upright = std::abs(a.x - b.x) < 0.01f;
  if (!level && !upright) {
    if (stroke.dashed) return dash(std::array{a, b}, stroke);
    return segment(a, b, stroke.color, width);
  }
  // Level and upright lines are rectangles on whole pixels.
  const auto bar = [&](Point p, Point q) {
    const float x0 = std::min(p.x, q.x), x1 = std::max(p.x, q.x), y0 = std::min(p.y, q.y),
                y1 = std::max(p.y, q.y);
    if (level) {
      const float y = std::round(y0 - width / 2);
      list_->AddRectFilled({std::round(x0), y}, {std::round(x1), y + width}, im(stroke.color));
    } else {
      const float x = std::round(x0 - width / 2);
      list_->AddRectFilled({x, std::round(y0)}, {x + width, std::round(y1)}, im(stroke.color));
    }
  };
  if (!stroke.dashed) return bar(a, b);
  for (const auto& [p, q] : dashes(std::array{a, b}, stroke.dash * scale_, kDashOff * scale_)) bar(p, q);
}

void ScreenCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2 || !stroke.color.visible()) return;
  std::vector<Point> path(points.begin(), points.end());
  for (Point& p : path) p = device(p);
  if (stroke.dashed) return dash(path, stroke);
  static_assert(sizeof(Point) == sizeof(ImVec2));
  list_->AddPolyline(reinterpret_cast<const ImVec2*>(path.data()), static_cast<int>(path.size()),
                     im(stroke.color), 0, width_px(stroke.width));
}

void ScreenCanvas::polygon(std::span<const Point> points, Color fill) {
  if (points.size() < 3 || !fill.visible()) return;
  std::vector<ImVec2> path;
  float area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point a = points[i], b = points[(i + 1) % points.size()];
    area += a.x * b.y - b.x * a.y;
    path.push_back(im(device(a)));
  }
  if (area < 0) std::reverse(path.begin(), path.end());  // ImGui smooths edges of clockwise shapes
  list_->AddConvexPolyFilled(path.data(), static_cast<int>(path.size()), im(fill));
}

void ScreenCanvas::cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) {
  if (!stroke.color.visible()) return;
  list_->AddBezierCubic(im(device(from)), im(device(control1)), im(device(control2)), im(device(to)),
                        im(stroke.color), width_px(stroke.width));
}

void ScreenCanvas::circle(Point center, float radius, Color fill, const Stroke& outline) {
  const ImVec2 c = im(device(center));
  if (fill.visible()) list_->AddCircleFilled(c, radius * scale_, im(fill));
  if (outline.color.visible()) {
    const float width = width_px(outline.width);
    list_->AddCircle(c, std::max(0.5f, radius * scale_ - width / 2), im(outline.color), 0, width);
  }
}

void ScreenCanvas::text(Point at, std::string_view text, const TextStyle& asked) {
  if (text.empty() || !asked.color.visible()) return;
  TextStyle style = asked;
  style.size = type_size(asked);
  const Point start = device(text_start(fonts_->faces(), at, text, style));
  float pen = std::round(start.x);
  const float baseline = std::round(start.y);
  const float em = style.size * scale_;

  // Nothing to do outside the clip.
  const ImVec2 clip_from = list_->GetClipRectMin(), clip_to = list_->GetClipRectMax();
  if (baseline + em < clip_from.y || baseline - 1.5f * em > clip_to.y || pen > clip_to.x) return;

  const BakedFonts::Run& run = fonts_->run(style.font, em);
  FontFaces& faces = fonts_->faces();
  const ImU32 color = im(style.color);
  const auto most = static_cast<int>(text.size());
  list_->PrimReserve(most * 6, most * 4);
  int drawn = 0;
  std::vector<std::pair<float, char32_t>> missing;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    BakedFonts::Quad q;
    if (fonts_->quad(run, c, q)) {
      list_->PrimRectUV({pen + q.x0, baseline + q.y0}, {pen + q.x1, baseline + q.y1}, {q.u0, q.v0},
                        {q.u1, q.v1}, color);
      ++drawn;
    }
    if (c >= 32 && faces.glyph(style.font, c).file < 0) missing.emplace_back(pen, c);
    pen += faces.advance(style.font, c) * em;
  }
  list_->PrimUnreserve((most - drawn) * 6, (most - drawn) * 4);
  texts_.push_back(in_clip({start.x, baseline - em, pen - start.x, 1.2f * em}));
  for (const auto& [x, sign] : missing)
    draw_missing_sign(*this, faces, (Point{x, baseline} - origin_) * (1 / scale_), sign, style);
}

void ScreenCanvas::grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) {
  if (rows <= 0 || columns <= 0) return;
  if (textures_ && colors.size() > kSmallGrid) {
    const Rect r = snapped(rect);
    const unsigned texture = textures_->upload(rows, columns, colors);
    list_->AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture)), {r.x, r.y},
                    {r.right(), r.bottom()});
    return;
  }
  const float width = rect.width / static_cast<float>(columns),
              height = rect.height / static_cast<float>(rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const Color color = colors[static_cast<std::size_t>(i * columns + j)];
      if (!color.visible()) continue;
      rectangle(
          {rect.x + static_cast<float>(j) * width, rect.y + static_cast<float>(i) * height, width, height},
          {.fill = color});
    }
  }
}

Rect ScreenCanvas::in_clip(const Rect& rect) const {
  return clips_.empty() ? rect : intersection(clips_.back(), rect);
}

void ScreenCanvas::push_clip(const Rect& rect) {
  const Rect r = snapped(rect);
  list_->PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  const Rect visible = on_screen(rect);
  clips_.push_back(in_clip(visible));
}

void ScreenCanvas::pop_clip() {
  list_->PopClipRect();
  clips_.pop_back();
}

Point ScreenCanvas::measure(std::string_view text, const TextStyle& style) const {
  const float size = type_size(style);
  return {fonts_->faces().width(text, style.font, size), size * kLineHeight};
}

void ScreenCanvas::hit(const HitRegion& region) {
  Hit hit{.region = region, .grid = std::nullopt, .clip = {}};
  hit.region->rect = on_screen(region.rect);
  if (alter_hit_) alter_hit_(*hit.region);
  hit.clip = clips_.empty() ? hit.region->rect : clips_.back();
  hits_.push_back(std::move(hit));
}

void ScreenCanvas::hit_grid(const HitGrid& grid) {
  if (!grid.cell || grid.rows <= 0 || grid.columns <= 0) return;
  Hit hit{.region = std::nullopt, .grid = grid, .clip = {}};
  hit.grid->rect = on_screen(grid.rect);
  hit.grid->cell = [cell = grid.cell, alter = alter_hit_, scale = scale_, origin = origin_](int row,
                                                                                            int column) {
    HitRegion region = cell(row, column);
    if (alter) alter(region);
    if (region.rect.width > 0) {  // it has its own place
      region.rect = scaled(region.rect, scale);
      region.rect.x += origin.x, region.rect.y += origin.y;
    }
    return region;
  };
  hit.clip = clips_.empty() ? hit.grid->rect : clips_.back();
  hits_.push_back(std::move(hit));
}

std::optional<HitRegion> ScreenCanvas::region_at(Point screen) const {
  for (auto hit = hits_.rbegin(); hit != hits_.rend(); ++hit) {
    if (!hit->clip.contains(screen)) continue;
    if (hit->region && hit->region->rect.contains(screen)) return hit->region;
    if (hit->grid) {
      if (auto region = region_in(*hit->grid, screen)) return region;
    }
  }
  return std::nullopt;
}

std::optional<ScreenCanvas::Hit> ScreenCanvas::hit_called(std::string_view label, bool clipped) const {
  const auto wanted = [&](const HitRegion& region, const Rect& clip) {
    const Rect shown = intersection(region.rect, clip);
    return region.label == label && (clipped || (shown.width > 0 && shown.height > 0));
  };
  for (auto hit = hits_.rbegin(); hit != hits_.rend(); ++hit) {
    if (hit->region && wanted(*hit->region, hit->clip)) return *hit;
    if (!hit->grid) continue;
    for (int row = 0; row < hit->grid->rows; ++row) {
      for (int column = 0; column < hit->grid->columns; ++column) {
        HitRegion region = glassformer::region_at(*hit->grid, row, column);
        if (wanted(region, hit->clip))
          return Hit{.region = std::move(region), .grid = std::nullopt, .clip = hit->clip};
      }
    }
  }
  return std::nullopt;
}

std::optional<HitRegion> ScreenCanvas::find(std::string_view label) const {
  const auto hit = hit_called(label, false);
  return hit ? hit->region : std::nullopt;
}

std::vector<std::string> ScreenCanvas::labels() const {
  std::vector<std::string> all;
  for (const Hit& hit : hits_) {
    if (hit.region) all.push_back(hit.region->label);
    if (!hit.grid) continue;
    for (int row = 0; row < hit.grid->rows; ++row) {
      for (int column = 0; column < hit.grid->columns; ++column) {
        all.push_back(glassformer::region_at(*hit.grid, row, column).label);
      }
    }
  }
  return all;
}

}  // namespace glassformer
