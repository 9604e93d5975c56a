#include <algorithm>
#include <cmath>

#include "app/canvas/screen_canvas.h"
#include "app/ui/ui.h"

namespace glassformer::ui {

namespace {

constexpr float kBar = 6, kWheelStep = 60;

bool scrolls_both_ways(const Rect& view, Point content) {
  return content.x > view.width + 0.5f && content.y > view.height + 0.5f;
}

}  // namespace

Rect Ui::begin_scroll(const Rect& whole, std::string_view label, Point content) {
  // What scrolls both ways has no margin for the bars: they lie beside it.
  Rect view = whole;
  if (scrolls_both_ways(whole, content)) view.width -= kBesideScrollBars, view.height -= kBesideScrollBars;
  const Point most{std::max(0.0f, content.x - view.width), std::max(0.0f, content.y - view.height)};
  Point& offset = scroll_offsets_.try_emplace(std::string(label)).first->second;
  if (mouse_over(view) && (most.x > 0 || most.y > 0)) wheel_next_ = label;
  // Of areas within each other the innermost has the wheel, as the last frame showed.
  if (mouse_over(view) && wheel_owner_ == label) {
    // A wheel that finds no way down goes sideways.
    if (most.y > 0) offset.y -= wheel_.y * kWheelStep;
    offset.x -= (most.y > 0 ? wheel_.x : wheel_.x + wheel_.y) * kWheelStep;
  }
  offset = {std::round(std::clamp(offset.x, 0.0f, most.x)), std::round(std::clamp(offset.y, 0.0f, most.y))};
  scrolls_.push_back({std::string(label), visible(view), content, offset, layer()});
  scroll_stack_.push_back(static_cast<int>(scrolls_.size()) - 1);
  screen().push_clip(view);
  return {view.x - offset.x, view.y - offset.y, std::max(content.x, view.width),
          std::max(content.y, view.height)};
}

void Ui::end_scroll() {
  screen().pop_clip();
  const Scroll scroll = scrolls_[static_cast<size_t>(scroll_stack_.back())];
  scroll_stack_.pop_back();
  scroll_bars(scroll);
}

void Ui::scroll_bars(const Scroll& scroll) {
  const Rect& view = scroll.view;
  Point& offset = scroll_offsets_.find(scroll.label)->second;
  const auto bar = [&](bool vertical) {
    const float seen = vertical ? view.height : view.width;
    const float all = vertical ? scroll.content.y : scroll.content.x;
    if (all <= seen + 0.5f) return;
    const float length = std::max(24.0f, seen * seen / all), way = seen - length;
    float& at = vertical ? offset.y : offset.x;
    const float beside = scrolls_both_ways(view, scroll.content) ? kBesideScrollBars : 0;
    const float start = way * at / (all - seen);
    const Rect thumb = vertical ? Rect{view.right() - kBar - 2 + beside, view.y + start, kBar, length}
                                : Rect{view.x + start, view.bottom() - kBar - 2 + beside, length, kBar};
    const Response response =
        area(thumb, scroll.label + (vertical ? ": scroll bar" : ": scroll bar across"), "scroll");
    screen().rectangle(thumb,
                       {.fill = response.hovered || response.held ? theme().faint_text : theme().control,
                        .radius = kBar / 2});
    if (response.focused && !popup_) {
      const float by = (take(vertical ? Key::down : Key::right) ? 1.0f : 0.0f) -
                       (take(vertical ? Key::up : Key::left) ? 1.0f : 0.0f) +
                       (take(Key::page_down) ? 5.0f : 0.0f) - (take(Key::page_up) ? 5.0f : 0.0f);
      at = std::clamp(at + by * kWheelStep, 0.0f, all - seen);
      if (by != 0) ask_frame(0);
    }
    if (!response.held) return;
    const float mouse_at = vertical ? mouse_.y - view.y : mouse_.x - view.x;
    if (went_down_) grab_ = mouse_at - start;
    at = std::clamp((mouse_at - grab_) / std::max(1.0f, way) * (all - seen), 0.0f, all - seen);
    ask_frame(0);
  };
  bar(true);
  bar(false);
}

void Ui::scroll_to(std::string_view label, Point offset) {
  scroll_offsets_.insert_or_assign(std::string(label),
                                   Point{std::max(0.0f, offset.x), std::max(0.0f, offset.y)});
}

Point Ui::scroll_of(std::string_view label) const {
  const auto found = scroll_offsets_.find(label);
  return found == scroll_offsets_.end() ? Point{} : found->second;
}

Ui::ScrollRoom Ui::scroll_room(std::string_view label) const {
  const auto found = std::ranges::find(scrolls_, label, &Scroll::label);
  if (found == scrolls_.end()) return {};
  const Point at = scroll_of(label);
  const Point seen{found->view.width, found->view.height};
  return {.rest = {std::max(0.0f, found->content.x - seen.x - at.x),
                   std::max(0.0f, found->content.y - seen.y - at.y)},
          .seen = seen};
}

bool Ui::reveal(std::string_view label) {
  if (const Widget* widget = shown_.find(label)) {
    reveal(widget->rect, widget->scroll);
    return true;
  }
  if (!frame_.fonts) return false;
  const float scale = 1 / frame_.fonts->scale();
  for (size_t i = canvases_.size(); i-- > 0;) {
    const auto hit = canvases_[i]->hit_called(label, true);
    if (!hit) continue;
    reveal(scaled(hit->region->rect, scale), scroll_with(scaled(hit->clip, scale)));
    return true;
  }
  return false;
}

void Ui::reveal(const Rect& rect, int index) {
  if (index < 0 || static_cast<size_t>(index) >= scrolls_.size()) return;
  const Scroll& scroll = scrolls_[static_cast<size_t>(index)];
  Point offset = scroll.offset;
  const Rect& view = scroll.view;
  // Of what has no room the beginning.
  const auto by = [](float from, float to, float view_from, float view_to) {
    const float back = from - view_from - 8, on = to - view_to + 8;
    return from < view_from ? back : to > view_to ? std::min(on, back) : 0;
  };
  offset.x += by(rect.x, rect.right(), view.x, view.right());
  offset.y += by(rect.y, rect.bottom(), view.y, view.bottom());
  scroll_to(scroll.label, offset);
  ask_frame(0);
}

}  // namespace glassformer::ui
