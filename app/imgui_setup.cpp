#include "app/imgui_setup.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace glassformer {

void set_up_imgui() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // nothing is written into the working folder
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking caret would ask for frames for ever
  io.ConfigWindowsMoveFromTitleBarOnly = true;
}

#if IMGUI_VERSION_NUM >= 18700
ImGuiKey imgui_key(int glfw_key) {
  switch (glfw_key) {
    case GLFW_KEY_TAB:
      return ImGuiKey_Tab;
    case GLFW_KEY_LEFT:
      return ImGuiKey_LeftArrow;
    case GLFW_KEY_RIGHT:
      return ImGuiKey_RightArrow;
    case GLFW_KEY_UP:
      return ImGuiKey_UpArrow;
    case GLFW_KEY_DOWN:
      return ImGuiKey_DownArrow;
    case GLFW_KEY_PAGE_UP:
      return ImGuiKey_PageUp;
    case GLFW_KEY_PAGE_DOWN:
      return ImGuiKey_PageDown;
    case GLFW_KEY_HOME:
      return ImGuiKey_Home;
    case GLFW_KEY_END:
      return ImGuiKey_End;
    case GLFW_KEY_BACKSPACE:
      return ImGuiKey_Backspace;
    case GLFW_KEY_DELETE:
      return ImGuiKey_Delete;
    case GLFW_KEY_SPACE:
      return ImGuiKey_Space;
    case GLFW_KEY_ENTER:
      return ImGuiKey_Enter;
    case GLFW_KEY_ESCAPE:
      return ImGuiKey_Escape;
    case GLFW_KEY_F2:
      return ImGuiKey_F2;
    case GLFW_KEY_F3:
      return ImGuiKey_F3;
    case GLFW_KEY_F4:
      return ImGuiKey_F4;
    case GLFW_KEY_F5:
      return ImGuiKey_F5;
    case GLFW_KEY_F10:
      return ImGuiKey_F10;
    case GLFW_KEY_MENU:
      return ImGuiKey_Menu;
    case GLFW_KEY_EQUAL:
      return ImGuiKey_Equal;
    case GLFW_KEY_MINUS:
      return ImGuiKey_Minus;
    case GLFW_KEY_KP_ENTER:
      return ImGuiKey_KeypadEnter;
    case GLFW_KEY_KP_ADD:
      return ImGuiKey_KeypadAdd;
    case GLFW_KEY_KP_SUBTRACT:
      return ImGuiKey_KeypadSubtract;
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL:
      return ImGuiKey_LeftCtrl;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT:
      return ImGuiKey_LeftShift;
    default:
      break;
  }
  if (glfw_key >= GLFW_KEY_A && glfw_key <= GLFW_KEY_Z)
    return static_cast<ImGuiKey>(ImGuiKey_A + (glfw_key - GLFW_KEY_A));
  return ImGuiKey_None;
}
#endif

}  // namespace glassformer
