#include "app/canvas/zoomed_canvas.h"

#include <vector>

#include "app/canvas/hit_region.h"

namespace glassformer {

namespace {

constexpr float kTitleSize = 18;

}  // namespace

ZoomedCanvas::ZoomedCanvas(Canvas& other, Point origin, float zoom, bool draws)
    : other_(&other), origin_(origin), zoom_(zoom), draws_(draws) {
  set_least_type(other.type_size({.size = 0}) / zoom);
}

Rect ZoomedCanvas::there(const Rect& rect) const {
  const Point from = there(Point{rect.x, rect.y});
  return {from.x, from.y, rect.width * zoom_, rect.height * zoom_};
}

Stroke ZoomedCanvas::there(Stroke stroke) const {
  stroke.dash *= zoom_;
  return stroke;
}

TextStyle ZoomedCanvas::there(TextStyle style) const {
  style.size = type_size(style) * zoom_;
  return style;
}

void ZoomedCanvas::rectangle(const Rect& rect, const Box& box) {
  Box zoomed = box;
  zoomed.radius *= zoom_;
  if (draws_) other_->rectangle(there(rect), zoomed);
}

void ZoomedCanvas::line(Point from, Point to, const Stroke& stroke) {
  if (draws_) other_->line(there(from), there(to), there(stroke));
}

void ZoomedCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (!draws_) return;
  std::vector<Point> all;
  for (const Point& point : points) all.push_back(there(point));
  other_->polyline(all, there(stroke));
}

void ZoomedCanvas::polygon(std::span<const Point> points, Color fill) {
  if (!draws_) return;
  std::vector<Point> all;
  for (const Point& point : points) all.push_back(there(point));
  other_->polygon(all, fill);
}

void ZoomedCanvas::cubic(Point from, Point control1, Point control2, Point to, const Stroke& stroke) {
  if (draws_) other_->cubic(there(from), there(control1), there(control2), there(to), there(stroke));
}

void ZoomedCanvas::circle(Point center, float radius, Color fill, const Stroke& outline) {
  if (draws_) other_->circle(there(center), radius * zoom_, fill, there(outline));
}

void ZoomedCanvas::text(Point at, std::string_view text, const TextStyle& style) {
  if (title_y_ < 0 && style.size >= kTitleSize && style.font == Font::semibold) title_y_ = at.y;
  if (draws_) other_->text(there(at), text, there(style));
}

void ZoomedCanvas::grid(const Rect& rect, int rows, int columns, std::span<const Color> colors) {
  if (draws_) other_->grid(there(rect), rows, columns, colors);
}

void ZoomedCanvas::push_clip(const Rect& rect) {
  if (draws_) other_->push_clip(there(rect));
}

void ZoomedCanvas::pop_clip() {
  if (draws_) other_->pop_clip();
}

Point ZoomedCanvas::measure(std::string_view text, const TextStyle& style) const {
  return other_->measure(text, there(style)) * (1 / zoom_);
}

void ZoomedCanvas::hit(const HitRegion& region) {
  HitRegion zoomed = region;
  zoomed.rect = there(region.rect);
  if (draws_) other_->hit(zoomed);
}

void ZoomedCanvas::hit_grid(const HitGrid& grid) {
  HitGrid zoomed = grid;
  zoomed.rect = there(grid.rect);
  zoomed.cell = [cell = grid.cell, origin = origin_, zoom = zoom_](int row, int column) {
    HitRegion region = cell(row, column);
    if (region.rect.width > 0)  // it has its own place
      region.rect = {region.rect.x * zoom + origin.x, region.rect.y * zoom + origin.y,
                     region.rect.width * zoom, region.rect.height * zoom};
    return region;
  };
  if (draws_ && grid.cell) other_->hit_grid(zoomed);
}

}  // namespace glassformer
