#include "app/ui/find_key.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace glassformer::ui {

bool find_key_pressed() {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.KeyShift) return false;
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_K);
#else
  return ImGui::IsKeyPressed(GLFW_KEY_K);
#endif
}

}  // namespace glassformer::ui
