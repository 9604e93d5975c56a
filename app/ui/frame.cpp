// What happens around every frame: what the mouse and the keyboard did, the layers, and what is drawn last.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/screen_canvas.h"
#include "app/ui/tooltip_place.h"
#include "app/ui/ui.h"

namespace glassformer::ui {

namespace {

constexpr double kTooltipDelay = 0.4;

}  // namespace

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
  scroll.begin_frame();
  read_input();
  focus.take_keys();

  mouse_layer_ = 0;
  for (size_t i = 0; i < last_layers_.size(); ++i)
    if (last_layers_[i].modal || last_layers_[i].rect.contains(mouse_)) mouse_layer_ = static_cast<int>(i);
  if (popup.is_open()) mouse_layer_ = kPopupLayer;
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

int Ui::modal_layer(const std::vector<Layer>& layers) {
  for (size_t i = layers.size(); i-- > 1;)
    if (layers[i].modal) return static_cast<int>(i);
  return 0;
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
    focus.on({});
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

void Ui::end_frame() {
  resolve_hits();
  focus.visit_grids();
  popup.draw();
  draw_tooltip();
  focus.move();
  if (went_up_ || !down_) held_.clear();
  last_hot_ = hot_;
  last_hot_rect_ = hot_rect_;
  last_layers_ = layers_;
  std::swap(shown_, building_);
  if (!reveal_next_.empty()) scroll.reveal(std::exchange(reveal_next_, {}));
}

}  // namespace glassformer::ui
