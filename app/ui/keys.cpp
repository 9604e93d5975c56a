#include "app/ui/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <array>

namespace glassformer::ui {

namespace {

#if IMGUI_VERSION_NUM >= 18700
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
bool named(ImGuiKey key) {
  return ImGui::IsKeyPressed(key);
}
#else
constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
bool named(ImGuiKey key) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
}
#endif

// Keys that the older release knows by GLFW's number alone.
bool other(int glfw_key) {
#if IMGUI_VERSION_NUM >= 18700
  switch (glfw_key) {
    case GLFW_KEY_F2:
      return ImGui::IsKeyPressed(ImGuiKey_F2);
    case GLFW_KEY_F3:
      return ImGui::IsKeyPressed(ImGuiKey_F3);
    case GLFW_KEY_F4:
      return ImGui::IsKeyPressed(ImGuiKey_F4);
    case GLFW_KEY_F5:
      return ImGui::IsKeyPressed(ImGuiKey_F5);
    case GLFW_KEY_F10:
      return ImGui::IsKeyPressed(ImGuiKey_F10);
    case GLFW_KEY_MENU:
      return ImGui::IsKeyPressed(ImGuiKey_Menu);
    case GLFW_KEY_Q:
      return ImGui::IsKeyPressed(ImGuiKey_Q);
    case GLFW_KEY_S:
      return ImGui::IsKeyPressed(ImGuiKey_S);
    case GLFW_KEY_O:
      return ImGui::IsKeyPressed(ImGuiKey_O);
    case GLFW_KEY_D:
      return ImGui::IsKeyPressed(ImGuiKey_D);
    case GLFW_KEY_K:
      return ImGui::IsKeyPressed(ImGuiKey_K);
    case GLFW_KEY_R:
      return ImGui::IsKeyPressed(ImGuiKey_R);
    case GLFW_KEY_EQUAL:
      return ImGui::IsKeyPressed(ImGuiKey_Equal);
    case GLFW_KEY_MINUS:
      return ImGui::IsKeyPressed(ImGuiKey_Minus);
    case GLFW_KEY_KP_ADD:
      return ImGui::IsKeyPressed(ImGuiKey_KeypadAdd);
    case GLFW_KEY_KP_SUBTRACT:
      return ImGui::IsKeyPressed(ImGuiKey_KeypadSubtract);
    default:
      return false;
  }
#else
  return ImGui::IsKeyPressed(glfw_key);
#endif
}

}  // namespace

bool key_pressed(Key key) {
  const ImGuiIO& io = ImGui::GetIO();
  switch (key) {
    case Key::left:
      return named(ImGuiKey_LeftArrow);
    case Key::right:
      return named(ImGuiKey_RightArrow);
    case Key::up:
      return named(ImGuiKey_UpArrow);
    case Key::down:
      return named(ImGuiKey_DownArrow);
    case Key::home:
      return named(ImGuiKey_Home);
    case Key::end:
      return named(ImGuiKey_End);
    case Key::page_up:
      return named(ImGuiKey_PageUp);
    case Key::page_down:
      return named(ImGuiKey_PageDown);
    case Key::enter:
      return named(ImGuiKey_Enter) || named(kKeypadEnter);
    case Key::escape:
      return named(ImGuiKey_Escape);
    case Key::backspace:
      return named(ImGuiKey_Backspace);
    case Key::tab:
      return named(ImGuiKey_Tab);
    case Key::space:
      return named(ImGuiKey_Space) && !io.KeyCtrl;
    case Key::undo:
      return io.KeyCtrl && !io.KeyShift && named(ImGuiKey_Z);
    case Key::redo:
      return io.KeyCtrl && ((io.KeyShift && named(ImGuiKey_Z)) || named(ImGuiKey_Y));
    case Key::copy:
      return io.KeyCtrl && !io.KeyShift && named(ImGuiKey_C);
    case Key::copy_link:
      return io.KeyCtrl && io.KeyShift && named(ImGuiKey_C);
    case Key::save:
      return io.KeyCtrl && other(GLFW_KEY_S);
    case Key::report:
      return io.KeyCtrl && other(GLFW_KEY_R);
    case Key::f2:
      return other(GLFW_KEY_F2);
    case Key::f3:
      return other(GLFW_KEY_F3);
    case Key::f4:
      return other(GLFW_KEY_F4);
    case Key::f5:
      return other(GLFW_KEY_F5);
    case Key::open:
      return io.KeyCtrl && !io.KeyShift && other(GLFW_KEY_O);
    case Key::open_session:
      return io.KeyCtrl && io.KeyShift && other(GLFW_KEY_O);
    case Key::describe:
      return io.KeyCtrl && other(GLFW_KEY_D);
    case Key::find:
      return io.KeyCtrl && !io.KeyShift && other(GLFW_KEY_K);
    case Key::larger:
      return io.KeyCtrl && (other(GLFW_KEY_EQUAL) || other(GLFW_KEY_KP_ADD));
    case Key::smaller:
      return io.KeyCtrl && (other(GLFW_KEY_MINUS) || other(GLFW_KEY_KP_SUBTRACT));
    case Key::quit:
      return io.KeyCtrl && other(GLFW_KEY_Q);
    case Key::menu:
      return other(GLFW_KEY_MENU) || (io.KeyShift && other(GLFW_KEY_F10));
    case Key::count:
      return false;
  }
  return false;
}

bool letter_down(char letter) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyDown(static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'a')));
#else
  return ImGui::IsKeyDown(GLFW_KEY_A + (letter - 'a'));
#endif
}

const char* key_name(Key key) {
  static constexpr std::array kNames{"←",
                                     "→",
                                     "↑",
                                     "↓",
                                     "Home",
                                     "End",
                                     "PgUp",
                                     "PgDn",
                                     "Enter",
                                     "Esc",
                                     "Backspace",
                                     "Tab",
                                     "Space",
                                     "F2",
                                     "F3",
                                     "F4",
                                     "F5",
                                     "Ctrl+Z",
                                     "Ctrl+Shift+Z",
                                     "Ctrl+C",
                                     "Ctrl+O",
                                     "Ctrl+S",
                                     "Ctrl+R",
                                     "Ctrl+Shift+O",
                                     "Ctrl+Shift+C",
                                     "Ctrl+D",
                                     "Ctrl+K",
                                     "Ctrl +",
                                     "Ctrl −",
                                     "Ctrl+Q",
                                     "Menu"};
  static_assert(kNames.size() == static_cast<std::size_t>(Key::count));
  return kNames[static_cast<std::size_t>(key)];
}

}  // namespace glassformer::ui
