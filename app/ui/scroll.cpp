#include "app/ui/scroll.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"

namespace glassformer::ui {

namespace {

constexpr float kBar = 6, kWheelStep = 60;

bool scrolls_both_ways(const Rect& view, Point content) {
  return content.x > view.width + 0.5f && content.y > view.height + 0.5f;
}

}  // namespace

void Scroll::begin_frame() {
  areas_.clear();
  stack_.clear();
  wheel_owner_ = std::exchange(wheel_next_, {});
}

Rect Scroll::begin(const Rect& whole, std::string_view label, Point content) {
  // What scrolls both ways has no margin for the bars: they lie beside it.
  Rect view = whole;
  if (scrolls_both_ways(whole, content)) view.width -= kBesideScrollBars, view.height -= kBesideScrollBars;
  const Point most{std::max(0.0f, content.x - view.width), std::max(0.0f, content.y - view.height)};
  Point& offset = offsets_.try_emplace(std::string(label)).first->second;
  if (ui_.mouse_over(view) && (most.x > 0 || most.y > 0)) wheel_next_ = label;
  // Of areas within each other the innermost has the wheel, as the last frame showed.
  if (ui_.mouse_over(view) && wheel_owner_ == label) {
    // A wheel that finds no way down goes sideways.
    if (most.y > 0) offset.y -= ui_.wheel_.y * kWheelStep;
    offset.x -= (most.y > 0 ? ui_.wheel_.x : ui_.wheel_.x + ui_.wheel_.y) * kWheelStep;
  }
  offset = {std::round(std::clamp(offset.x, 0.0f, most.x)), std::round(std::clamp(offset.y, 0.0f, most.y))};
  areas_.push_back({std::string(label), seen(view), content, offset, ui_.layer()});
  stack_.push_back(static_cast<int>(areas_.size()) - 1);
  ui_.screen().push_clip(view);
  return {view.x - offset.x, view.y - offset.y, std::max(content.x, view.width),
          std::max(content.y, view.height)};
}

void Scroll::end() {
  ui_.screen().pop_clip();
  const Area area = areas_[static_cast<size_t>(stack_.back())];
  stack_.pop_back();
  draw_bars(area);
}

void Scroll::draw_bars(const Area& scrolled) {
  const Rect& view = scrolled.view;
  Point& offset = offsets_.find(scrolled.label)->second;
  const auto bar = [&](bool vertical) {
    const float seen = vertical ? view.height : view.width;
    const float all = vertical ? scrolled.content.y : scrolled.content.x;
    if (all <= seen + 0.5f) return;
    const float length = std::max(24.0f, seen * seen / all), way = seen - length;
    float& at = vertical ? offset.y : offset.x;
    const float beside = scrolls_both_ways(view, scrolled.content) ? kBesideScrollBars : 0;
    const float start = way * at / (all - seen);
    const Rect thumb = vertical ? Rect{view.right() - kBar - 2 + beside, view.y + start, kBar, length}
                                : Rect{view.x + start, view.bottom() - kBar - 2 + beside, length, kBar};
    const Response response =
        ui_.area(thumb, scrolled.label + (vertical ? ": scroll bar" : ": scroll bar across"), "scroll");
    ui_.screen().rectangle(
        thumb, {.fill = response.hovered || response.held ? ui_.theme().faint_text : ui_.theme().control,
                .radius = kBar / 2});
    if (response.focused && !ui_.popup.is_open()) {
      const float by = (ui_.pressed(vertical ? Key::down : Key::right) ? 1.0f : 0.0f) -
                       (ui_.pressed(vertical ? Key::up : Key::left) ? 1.0f : 0.0f) +
                       (ui_.pressed(Key::page_down) ? 5.0f : 0.0f) -
                       (ui_.pressed(Key::page_up) ? 5.0f : 0.0f);
      at = std::clamp(at + by * kWheelStep, 0.0f, all - seen);
      if (by != 0) ui_.ask_frame(0);
    }
    if (!response.held) return;
    const float mouse_at = vertical ? ui_.mouse_.y - view.y : ui_.mouse_.x - view.x;
    if (ui_.went_down_) grab_ = mouse_at - start;
    at = std::clamp((mouse_at - grab_) / std::max(1.0f, way) * (all - seen), 0.0f, all - seen);
    ui_.ask_frame(0);
  };
  bar(true);
  bar(false);
}

void Scroll::to(std::string_view label, Point offset) {
  offsets_.insert_or_assign(std::string(label), Point{std::max(0.0f, offset.x), std::max(0.0f, offset.y)});
}

Point Scroll::of(std::string_view label) const {
  const auto found = offsets_.find(label);
  return found == offsets_.end() ? Point{} : found->second;
}

Rect Scroll::seen(const Rect& rect) const {
  return stack_.empty() ? rect : intersection(rect, areas_[static_cast<size_t>(stack_.back())].view);
}

Scroll::Room Scroll::room(std::string_view label) const {
  const auto found = std::ranges::find(areas_, label, &Area::label);
  if (found == areas_.end()) return {};
  const Point at = of(label);
  const Point seen{found->view.width, found->view.height};
  return {.rest = {std::max(0.0f, found->content.x - seen.x - at.x),
                   std::max(0.0f, found->content.y - seen.y - at.y)},
          .seen = seen};
}

int Scroll::cutting(const Rect& clip) const {
  for (size_t s = areas_.size(); s-- > 0;) {
    const Rect& view = areas_[s].view;
    if (std::abs(view.x - clip.x) < 1 && std::abs(view.y - clip.y) < 1 &&
        std::abs(view.width - clip.width) < 1 && std::abs(view.height - clip.height) < 1)
      return static_cast<int>(s);
  }
  return -1;
}

bool Scroll::reveal(std::string_view label) {
  if (const Widget* widget = ui_.shown_.find(label)) {
    reveal(widget->rect, widget->scroll);
    return true;
  }
  if (!ui_.frame_.fonts) return false;
  const float scale = 1 / ui_.frame_.fonts->scale();
  for (size_t i = ui_.canvases_.size(); i-- > 0;) {
    const auto hit = ui_.canvases_[i]->hit_called(label, true);
    if (!hit) continue;
    reveal(scaled(hit->region->rect, scale), cutting(scaled(hit->clip, scale)));
    return true;
  }
  return false;
}

void Scroll::reveal(const Rect& rect, int index) {
  if (index < 0 || static_cast<size_t>(index) >= areas_.size()) return;
  const Area& area = areas_[static_cast<size_t>(index)];
  Point offset = area.offset;
  const Rect& view = area.view;
  // Of what has no room the beginning.
  const auto by = [](float from, float to, float view_from, float view_to) {
    const float back = from - view_from - 8, on = to - view_to + 8;
    return from < view_from ? back : to > view_to ? std::min(on, back) : 0;
  };
  offset.x += by(rect.x, rect.right(), view.x, view.right());
  offset.y += by(rect.y, rect.bottom(), view.y, view.bottom());
  to(area.label, offset);
  ui_.ask_frame(0);
}

}  // namespace glassformer::ui
