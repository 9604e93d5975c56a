// What both the window and the rendering without a display ask of Dear ImGui.
#pragma once

#include <imgui.h>

namespace glassformer {

// Call once, after CreateContext.
void set_up_imgui();

#if IMGUI_VERSION_NUM >= 18700
// GLFW's number of a key that the program uses as Dear ImGui names it.
ImGuiKey imgui_key(int glfw_key);
#endif

}  // namespace glassformer
