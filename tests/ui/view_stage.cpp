#include "tests/ui/view_stage.h"

#include <imgui.h>

#include <stdexcept>
#include <utility>

#include "app/views/view_table.h"

namespace glassformer {

namespace {

std::unique_ptr<View> made(std::string_view name) {
  for (const ViewEntry& entry : view_table())
    if (entry.name == name) return entry.make();
  throw std::runtime_error("no view of the name " + std::string(name));
}

}  // namespace

ViewStage::ViewStage(std::string_view view, SampleScene& scene, Point size)
    : scene_(scene), size_(size), view_(made(view)) {
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the window's has
  io.DisplaySize = {size.x + 600, size.y + 40};
  fonts_ = std::make_unique<BakedFonts>(find_font_files());
  fonts_->bake(1);
  ui_ = std::make_unique<ui::Ui>();
  move_to({-100, -100});
  frames();
}

ViewStage::~ViewStage() {
  ui_.reset();
  fonts_.reset();
  ImGui::DestroyContext(context_);
}

void ViewStage::frame() {
  ImGui::SetCurrentContext(context_);
  if (fonts_->wants_baking()) fonts_->bake(1);
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = 1.0f / 60;
  time_ += 1.0 / 60;
  ImGui::NewFrame();
  ui_->begin_frame({.list = ImGui::GetBackgroundDrawList(),
                    .theme = &theme_,
                    .fonts = fonts_.get(),
                    .window = {size_.x + 600, size_.y + 40},
                    .time = time_});
  const ViewInput input = scene_.input();
  view_->picture(ui_->canvas(), input, area());
  ui_->of_view(true);
  view_->controls(*ui_, input, area());
  ui_->of_view(false);
  view_->column(ViewColumn::left, *ui_, input, {0, 0, 280, size_.y});
  view_->column(ViewColumn::right, *ui_, input, {280 + size_.x, 0, 320, size_.y});
  ui_->end_frame();
  ImGui::Render();

  // Carry out what concerns the selection, keep everything.
  scene_.shown = scene_.pinned;
  for (const Command& command : ui_->commands()) {
    if (const auto* pin = command.get_if<SetPin>()) scene_.pin(pin->selection);
    if (const auto* hover = command.get_if<SetHover>()) scene_.shown = hover->selection;
    commands_.push_back(command);
  }
}

void ViewStage::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

void ViewStage::move_to(Point at) {
  ImGui::SetCurrentContext(context_);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMousePosEvent(at.x, at.y);
#else
  ImGui::GetIO().MousePos = {at.x, at.y};
#endif
  frames(2);
}

void ViewStage::press() {
  for (const bool down : {true, false}) {
    ImGui::SetCurrentContext(context_);
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseButtonEvent(0, down);
#else
    ImGui::GetIO().MouseDown[0] = down;
#endif
    frames(2);
  }
  frames(2);
}

void ViewStage::wheel(Point at, float down, float right) {
  move_to(at);
  ImGui::SetCurrentContext(context_);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(-right, -down);
  frames(2);
#else
  ImGui::GetIO().MouseWheel = -down;
  ImGui::GetIO().MouseWheelH = -right;
  frames(1);
  ImGui::GetIO().MouseWheel = ImGui::GetIO().MouseWheelH = 0;
  frames(1);
#endif
}

bool ViewStage::set(std::string_view label, std::string_view value) {
  ui_->by_name.set(label, value);
  frames(2);
  const bool taken = ui_->by_name.left().empty();
  ui_->by_name.forget();
  return taken;
}

std::vector<std::pair<std::string, std::string>> ViewStage::choices() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ui::Widget& each : ui_->registry().all()) {
    if (!each.of_view || !each.enabled) continue;
    if (each.kind == "switch")
      for (const char* const value : {"on", "off"}) all.emplace_back(each.label, value);
    if (each.kind != "segmented") continue;
    for (const ui::Widget& part : ui_->registry().all())
      if (part.kind == "segment" && part.label.starts_with(each.label + ": "))
        all.emplace_back(each.label, part.label.substr(each.label.size() + 2));
  }
  return all;
}

bool ViewStage::hover(std::string_view label) {
  const auto widget = ui_->find(label);
  if (!widget) return false;
  move_to(widget->rect.center());
  return true;
}

bool ViewStage::click(std::string_view label) {
  if (!hover(label)) return false;
  press();
  return true;
}

Commands ViewStage::take_commands() {
  return std::exchange(commands_, {});
}

}  // namespace glassformer
