#include "app/ui/ui.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "app/canvas/screen_canvas.h"

namespace glassformer::ui {

Ui::Ui() : scroll(*this), popup(*this), focus(*this), by_name(*this) {}
Ui::~Ui() = default;

Canvas& Ui::canvas() {
  return screen();
}
const Theme& Ui::theme() {
  return *frame_.theme;
}
bool Ui::shift() const {
  return shift_;
}
bool Ui::control() const {
  return control_;
}
bool Ui::field_active() const {
  return field_active_;
}

bool Ui::pressed(Key key) {
  if (keys_.erase(key) == 0) return false;
  last_key_ = key_name(key);
  return true;
}

bool Ui::take_typed(char letter) {
  if (field_active_) return false;
  const auto found = std::ranges::find(typed_, letter);
  if (found == typed_.end()) return false;
  typed_.erase(found);
  last_key_ = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return true;
}

std::optional<char> Ui::typed() {
  const bool stage = focus.on_stage();
  for (const char letter : typed_)
    if (stage || letter == '?' || letter == '/')
      return take_typed(letter) ? std::optional(letter) : std::nullopt;
  return std::nullopt;
}

bool Ui::held(char letter) const {
  return !field_active_ && focus.on_stage() && letter_down(letter);
}

std::optional<Point> Ui::mouse() const {
  if (!mouse_inside_ || layer() != mouse_layer_) return std::nullopt;
  return mouse_;
}

bool Ui::mouse_over(const Rect& rect) const {
  return mouse_inside_ && layer() == mouse_layer_ && scroll.seen(rect).contains(mouse_);
}

void Ui::record(std::string_view label, std::string_view kind, const Rect& rect, Widget more) {
  more.label = label;
  more.kind = kind;
  more.rect = rect;
  more.visible = scroll.seen(rect);
  more.layer = layer();
  more.scroll = scroll.drawn();
  more.of_view = of_view_;
  more.focused = more.focused || focus.has(label);
  building_.add(std::move(more));
}

void Ui::amend(std::string_view label, Widget widget) {
  Widget* made = building_.last(label);
  if (!made || made->layer != layer()) {
    const std::string kind = widget.kind;
    const Rect rect = widget.rect;
    return record(label, kind, rect, std::move(widget));
  }
  made->kind = widget.kind;
  made->value = widget.value;
  made->enabled = widget.enabled;
  made->selected = widget.selected;
}

Response Ui::area(const Rect& rect, std::string_view label, std::string_view kind, bool focusable) {
  record(label, kind, rect, {.focusable = focusable});
  Response response{.focused = focusable && focus.has(label), .control = control_};

  // Of two rectangles in one place, the one drawn last answers.
  bool over = mouse_over(rect);
  if (over) hot_ = label, hot_rect_ = scroll.seen(rect);
  if (over && last_hot_ != label && !last_hot_.empty() && last_hot_rect_.contains(mouse_)) over = false;
  if (over && !held_.empty() && held_ != label) over = false;
  response.hovered = over;
  if (over && went_down_) {
    held_ = label;
    focus.on(kind == "panel" ? label : std::string_view());
  }
  response.held = held_ == label && down_;
  response.clicked = over && went_up_ && held_ == label;
  if (response.focused && !popup.is_open() && pressed(Key::enter))
    response.clicked = true;  // else the open list's
  response.menu = (over && right_down_) || (response.focused && pressed(Key::menu));
  if (response.clicked || response.menu) ask_frame(0);
  if (over && kind != "field" && kind != "text") ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  // Sliders and switches ring the part that moves.
  focus_ring(*this, rect, response.focused && kind != "slider" && kind != "switch");
  return response;
}

Response Ui::plane(const Rect& rect, std::string_view label, std::string_view kind) {
  Response response = area(rect, label, kind);
  if (response.hovered) response.at = mouse();
  if (!response.focused) return response;
  if (const auto at = focus.place_on_plane(rect, label, response.hovered)) {
    response.hovered = true;
    response.at = at;
    screen().circle(*at, 5, theme().paper, {.color = theme().ink, .width = 2});
  }
  return response;
}

void Ui::mark_selected(std::string_view label) {
  if (Widget* widget = building_.last(label)) widget->selected = true;
}

void Ui::note(const Rect& rect, std::string_view label, std::string_view value) {
  record(label, "text", rect, {.value = std::string(value)});
}

void Ui::wish_menu(std::string_view label, const Rect& at, Command about) {
  menu_wish_ = MenuWish{std::string(label), at, std::move(about)};
  ask_frame(0);
}

void Ui::alter_hits(AlterHit alter) {
  screen().alter_hits(std::move(alter));
}

void Ui::tooltip(const Rect& rect, std::string_view text) {
  if (text.empty() || !mouse_over(rect)) return;
  tip_ = text;
}

void Ui::veil(const Rect& rect, std::string_view text) {
  if (mouse_over(rect)) veil_ = text;
}

std::optional<Widget> Ui::find(std::string_view label) const {
  if (const Widget* widget = shown_.find(label)) return *widget;
  const float scale = frame_.fonts ? frame_.fonts->scale() : 1;
  for (size_t i = canvases_.size(); i-- > 0;) {
    const auto hit = canvases_[i]->hit_called(label, false);
    if (!hit) continue;
    const Rect rect = scaled(hit->region->rect, 1 / scale);
    return Widget{.label = hit->region->label,
                  .kind = "picture",
                  .rect = rect,
                  .visible = intersection(rect, scaled(hit->clip, 1 / scale)),
                  .layer = canvas_layers_[i]};
  }
  return std::nullopt;
}

std::vector<std::string> Ui::labels() const {
  std::vector<std::string> all;
  for (const Widget& widget : shown_.all()) all.push_back(widget.label);
  for (const auto& canvas : canvases_)
    for (std::string& label : canvas->labels()) all.push_back(std::move(label));
  return all;
}

std::vector<Rect> Ui::text_places() const {
  std::vector<Rect> places;
  for (const auto& canvas : canvases_)
    for (const Rect& place : canvas->texts())
      if (place.width > 0 && place.height > 0) places.push_back(scaled(place, 1 / canvas->scale()));
  return places;
}

float Ui::text_width(std::string_view text, float size, Font font) {
  return screen().measure(text, {.font = font, .size = size}).x;
}

float Ui::button_width(std::string_view label, Icon icon) {
  return std::ceil(text_width(label, 14, Font::semibold)) + 32 + (icon == Icon::none ? 0 : kButtonIcon);
}

float Ui::segmented_width(std::span<const std::string> choices) {
  float width = 6;
  for (const std::string& choice : choices) width += std::ceil(text_width(choice, 14)) + 28;
  return width;
}

float Ui::segmented_width(std::initializer_list<const char*> choices) {
  return segmented_width(std::vector<std::string>(choices.begin(), choices.end()));
}

void Ui::ask_frame(double seconds) {
  if (wanted_frame_ < 0 || seconds < wanted_frame_) wanted_frame_ = seconds;
}

}  // namespace glassformer::ui
