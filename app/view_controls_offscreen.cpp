#include "app/view_controls_offscreen.h"

#include <imgui.h>

#include <algorithm>

#include "app/fonts/baked_fonts.h"
#include "app/theme/theme.h"
#include "app/ui/ui.h"

namespace glassformer {

namespace {

constexpr int kFrames = 4;  // a page that a control opens has its own controls

// A context of Dear ImGui of one's own, for as long as it exists.
class Context {
 public:
  explicit Context(Point size) : before_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(own_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.DisplaySize = {size.x, size.y};
    io.DeltaTime = 1.0f / 60;
  }
  ~Context() {
    ImGui::DestroyContext(own_);
    ImGui::SetCurrentContext(before_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  ImGuiContext *before_, *own_;
};

// What is asked of the controls once they are set and drawn.
template <class Ask>
void with_controls(View& view, const ViewInput& input, Point size,
                   const std::vector<std::pair<std::string, std::string>>& settings, const Ask& ask) {
  const Point least = view.minimum_size(input);
  size = {std::max(size.x, least.x), std::max(size.y, least.y)};
  const Context context(size);
  BakedFonts fonts(find_font_files());
  fonts.bake(1);
  const Theme theme = light_theme();
  ui::Ui ui;
  for (const auto& [control, value] : settings) ui.by_name.set(control, value);
  for (int frame = 0; frame < kFrames; ++frame) {
    ImGui::NewFrame();
    ui.begin_frame({.list = ImGui::GetBackgroundDrawList(),
                    .theme = &theme,
                    .fonts = &fonts,
                    .window = size,
                    .time = frame / 60.0});
    view.controls(ui, input, {0, 0, size.x, size.y});
    ui.end_frame();
    ImGui::EndFrame();
  }
  ask(ui);
}

}  // namespace

std::vector<std::string> set_controls(View& view, const ViewInput& input, Point size,
                                      const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::string> left;
  if (settings.empty()) return left;
  with_controls(view, input, size, settings, [&](ui::Ui& ui) {
    for (const auto& [control, value] : ui.by_name.left()) left.push_back(control);
  });
  return left;
}

std::vector<std::string> control_names(View& view, const ViewInput& input, Point size,
                                       const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::string> names;
  with_controls(view, input, size, settings, [&](ui::Ui& ui) { names = ui.labels(); });
  return names;
}

}  // namespace glassformer
