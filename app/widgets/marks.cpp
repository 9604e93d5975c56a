#include "app/widgets/marks.h"

#include <array>
#include <cmath>
#include <string>

#include "app/canvas/hit_region.h"
#include "app/widgets/explained_words.h"

namespace glassformer {
namespace {

// A mark is drawn in a square of 2 x 2 round the centre: x and y from -1 to 1.
class Pen {
 public:
  Pen(Canvas& canvas, Point center, float half, Color color)
      : canvas_(canvas), center_(center), half_(half), color_(color) {}

  Point at(float x, float y) const { return {center_.x + x * half_, center_.y + y * half_}; }
  void triangle(Point a, Point b, Point c) {
    canvas_.polygon(std::array{at(a.x, a.y), at(b.x, b.y), at(c.x, c.y)}, color_);
  }
  void bar(float x, float y, float width, float height) {
    canvas_.rectangle({center_.x + x * half_, center_.y + y * half_, width * half_, height * half_},
                      {.fill = color_});
  }
  template <std::size_t N>
  void path(const std::array<Point, N>& points, float width = 1.5f) {
    std::array<Point, N> placed;
    for (std::size_t i = 0; i < N; ++i) placed[i] = at(points[i].x, points[i].y);
    canvas_.polyline(placed, {.color = color_, .width = width});
  }

 private:
  Canvas& canvas_;
  Point center_;
  float half_;
  Color color_;
};

}  // namespace

void draw_badge(Canvas& canvas, Point center, Badge badge, float size) {
  const Theme& t = canvas.theme();
  Color fill = t.query, ink = t.on_query;
  const char* letter = "Q";
  const char* word = "query";
  switch (badge) {
    case Badge::none:
      return;
    case Badge::query:
      break;
    case Badge::key:
      fill = t.key, ink = t.on_key, letter = "K", word = "key";
      break;
    case Badge::value:
      fill = t.value, ink = t.on_value, letter = "V", word = "value";
      break;
  }
  const Rect rect{center.x - size / 2, center.y - size / 2, size, size};
  canvas.rectangle(rect, {.fill = fill, .radius = 4});
  canvas.hit({.rect = rect,
              .label = std::string("what is ") + letter + " at " + std::to_string(std::lround(center.x)) +
                       " " + std::to_string(std::lround(center.y)),
              .tooltip = std::string(explained(word))});
  canvas.text(center, letter,
              {.font = Font::semibold, .size = std::round(size * 0.62f), .color = ink, .x = AlignX::center});
}

void draw_mark(Canvas& canvas, Point center, Mark mark, Color color, float size) {
  Pen pen(canvas, center, size / 2, color);
  using P = Point;
  switch (mark) {
    case Mark::play:
      pen.triangle({-0.8f, -1}, {1, 0}, {-0.8f, 1});
      break;
    case Mark::pause:
      pen.bar(-0.8f, -1, 0.6f, 2);
      pen.bar(0.2f, -1, 0.6f, 2);
      break;
    case Mark::stop:
      pen.bar(-0.9f, -0.9f, 1.8f, 1.8f);
      break;
    case Mark::step_forward:
      pen.triangle({-1, -1}, {0.6f, 0}, {-1, 1});
      pen.bar(0.6f, -1, 0.4f, 2);
      break;
    case Mark::step_back:
      pen.triangle({1, -1}, {1, 1}, {-0.6f, 0});
      pen.bar(-1, -1, 0.4f, 2);
      break;
    case Mark::to_start:
      pen.triangle({0, -0.9f}, {0, 0.9f}, {-1.2f, 0});
      pen.triangle({1.2f, -0.9f}, {1.2f, 0.9f}, {0, 0});
      break;
    case Mark::to_end:
      pen.triangle({-1.2f, -0.9f}, {0, 0}, {-1.2f, 0.9f});
      pen.triangle({0, -0.9f}, {1.2f, 0}, {0, 0.9f});
      break;
    case Mark::tick:
      pen.path(std::array<P, 3>{P{-0.85f, 0.05f}, P{-0.25f, 0.65f}, P{0.85f, -0.65f}}, 2);
      break;
    case Mark::cross:
      pen.path(std::array<P, 2>{P{-0.7f, -0.7f}, P{0.7f, 0.7f}});
      pen.path(std::array<P, 2>{P{-0.7f, 0.7f}, P{0.7f, -0.7f}});
      break;
    case Mark::chevron_right:
      pen.path(std::array<P, 3>{P{-0.4f, -0.9f}, P{0.5f, 0}, P{-0.4f, 0.9f}});
      break;
    case Mark::chevron_left:
      pen.path(std::array<P, 3>{P{0.4f, -0.9f}, P{-0.5f, 0}, P{0.4f, 0.9f}});
      break;
    case Mark::chevron_down:
      pen.path(std::array<P, 3>{P{-0.9f, -0.4f}, P{0, 0.5f}, P{0.9f, -0.4f}});
      break;
    case Mark::chevron_up:
      pen.path(std::array<P, 3>{P{-0.9f, 0.4f}, P{0, -0.5f}, P{0.9f, 0.4f}});
      break;
    case Mark::plus:
      pen.path(std::array<P, 2>{P{-0.8f, 0}, P{0.8f, 0}});
      pen.path(std::array<P, 2>{P{0, -0.8f}, P{0, 0.8f}});
      break;
    case Mark::minus:
      pen.path(std::array<P, 2>{P{-0.8f, 0}, P{0.8f, 0}});
      break;
    case Mark::download:
      pen.path(std::array<P, 2>{P{0, -1}, P{0, 0.4f}});
      pen.path(std::array<P, 3>{P{-0.5f, -0.1f}, P{0, 0.4f}, P{0.5f, -0.1f}});
      pen.path(std::array<P, 4>{P{-1, 0.4f}, P{-1, 1}, P{1, 1}, P{1, 0.4f}});
      break;
    case Mark::pin:
      canvas.circle(pen.at(0, -0.4f), size * 0.3f, {}, {.color = color, .width = 1.5f});
      pen.path(std::array<P, 2>{P{0, 0.2f}, P{0, 1}});
      break;
    case Mark::dot:
      canvas.circle(center, size / 2, color, {});
      break;
    case Mark::ring:
      canvas.circle(center, size / 2, {}, {.color = color, .width = 1.5f});
      break;
    case Mark::undo:
      pen.path(
          std::array<P, 5>{P{-0.8f, -0.4f}, P{0.3f, -0.4f}, P{0.8f, 0.1f}, P{0.3f, 0.7f}, P{-0.4f, 0.7f}});
      pen.path(std::array<P, 3>{P{-0.3f, -0.9f}, P{-0.8f, -0.4f}, P{-0.3f, 0.1f}});
      break;
    case Mark::search:
      canvas.circle(pen.at(-0.2f, -0.2f), size * 0.36f, {}, {.color = color, .width = 1.5f});
      pen.path(std::array<P, 2>{P{0.35f, 0.35f}, P{1, 1}});
      break;
  }
}

void draw_arrow(Canvas& canvas, Point from, Point to, const Stroke& stroke) {
  const Point along = to - from;
  const float length = std::hypot(along.x, along.y);
  if (length < 1) return;
  const Point unit = along * (1 / length), across = {-unit.y, unit.x};
  const float head = 5 + stroke.width;
  canvas.line(from, to - unit * (head - 1), stroke);
  canvas.polygon(
      std::array{to, to - unit * head + across * (head / 2), to - unit * head - across * (head / 2)},
      stroke.color);
}

float draw_keycap(Canvas& canvas, Point at, std::string_view name) {
  const Theme& t = canvas.theme();
  const TextStyle style{.size = 12, .color = t.second_text, .x = AlignX::center};
  const float width = std::max(20.0f, std::round(canvas.measure(name, style).x) + 12);
  canvas.rectangle({at.x, at.y - 10, width, 20}, {.fill = t.panel, .outline = t.control, .radius = 4});
  canvas.text({at.x + width / 2, at.y}, name, style);
  return width;
}

void draw_hatched(Canvas& canvas, const Rect& rect) {
  const Theme& t = canvas.theme();
  canvas.rectangle(rect, {.fill = t.panel, .hatch = t.control});
}

void draw_not_a_number(Canvas& canvas, const Rect& rect) {
  const Theme& t = canvas.theme();
  canvas.rectangle(rect, {.fill = t.panel});
  const float reach = std::min(rect.width, rect.height) * 0.32f;
  const Point c = rect.center();
  const Stroke stroke{.color = t.not_a_number, .width = reach > 5 ? 2.5f : 1};
  canvas.line({c.x - reach, c.y - reach}, {c.x + reach, c.y + reach}, stroke);
  canvas.line({c.x - reach, c.y + reach}, {c.x + reach, c.y - reach}, stroke);
}

void draw_word_start(Canvas& canvas, Point at) {
  canvas.rectangle({at.x - 7, at.y - 7, 3, 14}, {.fill = canvas.theme().ink});
}

}  // namespace glassformer
