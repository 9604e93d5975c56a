#include "app/ui/ui.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "app/canvas/screen_canvas.h"
#include "app/ui/tooltip_place.h"

namespace glassformer::ui {

namespace {

constexpr double kTooltipDelay = 0.4;

}  // namespace

Ui::Ui() = default;
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
bool Ui::popup_open() const {
  return popup_.has_value();
}

std::unique_ptr<ScreenCanvas> Ui::new_canvas() const {
  auto canvas = std::make_unique<ScreenCanvas>(
      *frame_.list, *frame_.theme, *frame_.fonts,
      ScreenCanvasOptions{.scale = frame_.fonts->scale(), .textures = frame_.textures});
  canvas->set_least_type(frame_.least_type);
  return canvas;
}

void Ui::begin_frame(const Frame& frame) {
  frame_ = frame;
  canvases_.clear();
  canvases_.push_back(new_canvas());
  canvas_stack_ = {0};
  canvas_layers_ = {0};
  commands_.clear();
  building_.clear();
  hot_.clear();
  tip_.clear(), veil_.clear();
  wanted_frame_ = -1;
  layers_ = {Layer{.rect = {0, 0, frame.window.x, frame.window.y}}};
  layer_stack_ = {0};
  scrolls_.clear();
  scroll_stack_.clear();
  wheel_owner_ = std::exchange(wheel_next_, {});
  read_input();
  take_grid_keys();

  mouse_layer_ = 0;
  for (size_t i = 0; i < last_layers_.size(); ++i)
    if (last_layers_[i].modal || last_layers_[i].rect.contains(mouse_)) mouse_layer_ = static_cast<int>(i);
  if (popup_) mouse_layer_ = kPopupLayer;
}

void Ui::read_input() {
  const ImGuiIO& io = ImGui::GetIO();
  const float scale = frame_.fonts->scale();
  mouse_inside_ = ImGui::IsMousePosValid();
  const Point before = mouse_;
  mouse_ = mouse_inside_ ? Point{io.MousePos.x / scale, io.MousePos.y / scale} : Point{-1, -1};
  mouse_moved_ = mouse_.x != before.x || mouse_.y != before.y;
  wheel_ = {io.MouseWheelH, io.MouseWheel};
  went_down_ = ImGui::IsMouseClicked(0);
  right_down_ = ImGui::IsMouseClicked(1);
  went_up_ = ImGui::IsMouseReleased(0);
  down_ = ImGui::IsMouseDown(0);
  shift_ = io.KeyShift;
  control_ = io.KeyCtrl;
  if (io.KeyShift && wheel_.x == 0) std::swap(wheel_.x, wheel_.y);

  // While a text field has the keyboard, everything typed is its own, but what no field of one line knows.
  field_active_ = ImGui::IsAnyItemActive();
  typed_.clear();
  keys_.clear();
  for (const Key key :
       {Key::tab, Key::up, Key::down, Key::f2, Key::f3, Key::f4, Key::f5, Key::page_up, Key::page_down,
        Key::save, Key::report, Key::open, Key::open_session, Key::describe, Key::find, Key::quit})
    if (key_pressed(key)) keys_.insert(key);
  if (field_active_) return;
  for (int key = 0; key < static_cast<int>(Key::count); ++key)
    if (key_pressed(static_cast<Key>(key))) keys_.insert(static_cast<Key>(key));
  if (!io.KeyCtrl && !io.KeyAlt)
    for (const ImWchar c : io.InputQueueCharacters)
      if (c > ' ' && c < 127)
        typed_.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c));
}

bool Ui::take(Key key) {
  if (keys_.erase(key) == 0) return false;
  last_key_ = key_name(key);
  return true;
}

bool Ui::pressed(Key key) {
  return take(key);
}

// A button, a slider or a card with the focus keeps letters from the stage, as a text field does.
bool Ui::stage_has_focus() const {
  if (focused_.empty()) return true;
  const Widget* stop = shown_.find(focused_);
  return !stop || stop->kind == "grid";
}

bool Ui::take_typed(char letter) {
  if (field_active_) return false;
  const auto found = std::ranges::find(typed_, letter);
  if (found == typed_.end()) return false;
  typed_.erase(found);
  last_key_ = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return true;
}

std::string Ui::focused_kind() const {
  const Widget* const stop = focused_.empty() ? nullptr : shown_.find(focused_);
  return stop ? stop->kind : std::string();
}

std::optional<char> Ui::typed() {
  const bool stage = stage_has_focus();
  for (const char letter : typed_)
    if (stage || letter == '?' || letter == '/')
      return take_typed(letter) ? std::optional(letter) : std::nullopt;
  return std::nullopt;
}

bool Ui::held(char letter) const {
  return !field_active_ && stage_has_focus() && letter_down(letter);
}

std::optional<Point> Ui::mouse() const {
  if (!mouse_inside_ || layer() != mouse_layer_) return std::nullopt;
  return mouse_;
}

Rect Ui::visible(const Rect& rect) const {
  return scroll_stack_.empty() ? rect
                               : intersection(rect, scrolls_[static_cast<size_t>(scroll_stack_.back())].view);
}

bool Ui::mouse_over(const Rect& rect) const {
  return mouse_inside_ && layer() == mouse_layer_ && visible(rect).contains(mouse_);
}

void Ui::record(std::string_view label, std::string_view kind, const Rect& rect, Widget more) {
  more.label = label;
  more.kind = kind;
  more.rect = rect;
  more.visible = visible(rect);
  more.layer = layer();
  more.scroll = scroll_stack_.empty() ? -1 : scroll_stack_.back();
  more.of_view = of_view_;
  more.focused = more.focused || (!focused_.empty() && focused_ == label);
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
  Response response{.focused = focusable && focused_ == label, .control = control_};

  // Of two rectangles in one place, the one drawn last answers.
  bool over = mouse_over(rect);
  if (over) hot_ = label, hot_rect_ = visible(rect);
  if (over && last_hot_ != label && !last_hot_.empty() && last_hot_rect_.contains(mouse_)) over = false;
  if (over && !held_.empty() && held_ != label) over = false;
  response.hovered = over;
  if (over && went_down_) {
    held_ = label;
    focused_ = kind == "panel" ? label : std::string_view();
  }
  response.held = held_ == label && down_;
  response.clicked = over && went_up_ && held_ == label;
  if (response.focused && !popup_ && take(Key::enter)) response.clicked = true;  // else the open list's
  response.menu = (over && right_down_) || (response.focused && take(Key::menu));
  if (response.clicked || response.menu) ask_frame(0);
  if (over && kind != "field" && kind != "text") ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  // Sliders and switches ring the part that moves.
  focus_ring(rect, response.focused && kind != "slider" && kind != "switch");
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

// The live part of a picture under the mouse; a widget in the same place goes first.
void Ui::resolve_hits() {
  if (!mouse_inside_ || !hot_.empty()) return;
  const float scale = frame_.fonts->scale();
  std::optional<HitRegion> top;
  for (size_t i = 0; i < canvases_.size(); ++i)
    if (canvas_layers_[i] == mouse_layer_)
      if (auto region = canvases_[i]->region_at(mouse_ * scale)) top = std::move(region);
  if (!top || (!held_.empty() && held_ != top->label)) return;
  hot_ = top->label;
  hot_rect_ = {top->rect.x / scale, top->rect.y / scale, top->rect.width / scale, top->rect.height / scale};
  if (went_down_) {
    held_ = top->label;
    focused_.clear();
  }
  if (right_down_ && top->click) wish_menu(top->label, {mouse_.x, mouse_.y, 1, 1}, menu_of(*top));
  if (top->hover) commands_.push_back(*top->hover);
  if (top->click) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (went_up_ && held_ == top->label) {
      commands_.push_back(control_ && top->add ? *top->add : *top->click);
      ask_frame(0);
    }
  }
  if (!top->tooltip.empty()) tip_ = top->tooltip;
}

void Ui::name_hits(std::string suffix) {
  screen().name_hits(std::move(suffix));
}

void Ui::begin_layer(const Rect& rect, bool modal) {
  layers_.push_back({rect, modal});
  enter_layer(static_cast<int>(layers_.size()) - 1);
}

void Ui::enter_layer(int layer) {
  layer_stack_.push_back(layer);
  canvases_.push_back(new_canvas());
  canvas_layers_.push_back(layer);
  canvas_stack_.push_back(static_cast<int>(canvases_.size()) - 1);
}

void Ui::end_layer() {
  layer_stack_.pop_back();
  canvas_stack_.pop_back();
}

void Ui::tooltip(const Rect& rect, std::string_view text) {
  if (text.empty() || !mouse_over(rect)) return;
  tip_ = text;
}

void Ui::veil(const Rect& rect, std::string_view text) {
  if (mouse_over(rect)) veil_ = text;
}

void Ui::draw_tooltip() {
  if (!veil_.empty() && !tip_.empty()) tip_ = veil_;
  if (tip_.empty() || down_) {
    waiting_tip_.clear();
    return;
  }
  if (waiting_tip_ != tip_) {
    waiting_tip_ = tip_;
    tip_since_ = frame_.time;
  }
  const double left = tip_since_ + kTooltipDelay - frame_.time;
  if (left > 0) return ask_frame(left);

  // At most three lines.
  const TextStyle style{.size = 12, .color = theme().ink};
  std::vector<std::string> lines;
  for (size_t at = 0; at <= tip_.size() && lines.size() < 3;) {
    const size_t end = std::min(tip_.find('\n', at), tip_.size());
    lines.push_back(elided(screen(), std::string_view(tip_).substr(at, end - at), style,
                           std::max(80.0f, frame_.window.x - 40)));
    at = end + 1;
  }
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, screen().measure(line, style).x);
  std::vector<Rect> kept_free;
  for (const char* label : {"lesson question", "lecture question"})
    if (const Widget* question = building_.find(label)) kept_free.push_back(question->rect);
  const Rect box = tooltip_place(mouse_, {std::ceil(width) + 24, static_cast<float>(lines.size()) * 19 + 12},
                                 hot_rect_, kept_free, frame_.window);
  screen().rectangle(box, {.fill = theme().panel, .outline = theme().control, .radius = 4});
  for (size_t i = 0; i < lines.size(); ++i)
    screen().text({box.x + 12, box.y + 6 + 19 * (static_cast<float>(i) + 0.5f)}, lines[i], style);
  building_.add(
      {.label = "tooltip", .kind = "text", .value = tip_, .rect = box, .visible = box, .layer = kPopupLayer});
}

// Tab goes from the stage to its grids, then through the widgets in the order in which they were drawn, and
// back to the stage.
void Ui::move_focus() {
  if (!focused_.empty() && !building_.find(focused_)) focused_.clear();
  if (!keys_.contains(Key::tab) || popup_) return;
  take(Key::tab);
  const int top = modal_layer(layers_);
  std::vector<const Widget*> stops;
  size_t now = 0;
  for (const bool grids : {true, false}) {
    for (const Widget& widget : building_.all()) {
      if (!widget.focusable || !widget.enabled || widget.layer < top || (widget.kind == "grid") != grids)
        continue;
      stops.push_back(&widget);
      if (widget.focused) now = stops.size();
    }
  }
  // Stop 0 is the stage itself.
  const size_t count = stops.size() + 1;
  const size_t next = (now + (shift_ ? count - 1 : 1)) % count;
  focused_ = next == 0 ? std::string() : stops[next - 1]->label;
  focus_field_ = next != 0 && stops[next - 1]->kind == "field" ? focused_ : std::string();
  release_field_ = focus_field_.empty() && field_active_;
  if (next != 0) reveal_next_ = focused_;
  ask_frame(0);
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

void Ui::ask_frame(double seconds) {
  if (wanted_frame_ < 0 || seconds < wanted_frame_) wanted_frame_ = seconds;
}

void Ui::end_frame() {
  resolve_hits();
  focus_grids();
  draw_popup();
  draw_tooltip();
  move_focus();
  if (went_up_ || !down_) held_.clear();
  last_hot_ = hot_;
  last_hot_rect_ = hot_rect_;
  last_layers_ = layers_;
  std::swap(shown_, building_);
  if (!reveal_next_.empty()) reveal(std::exchange(reveal_next_, {}));
}

}  // namespace glassformer::ui
