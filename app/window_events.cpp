#include "app/window_events.h"

#include <backends/imgui_impl_glfw.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/imgui_setup.h"
#include "app/ui/wide_letters.h"

namespace glassformer {

namespace {

constexpr int kFramesAfterInput = 2;  // a hover shows in the second one

Happened& of(GLFWwindow* window) {
  return *static_cast<Happened*>(glfwGetWindowUserPointer(window));
}

#if IMGUI_VERSION_NUM >= 18700
// The key that bears this letter in the person's layout, else the key itself.
int key_by_layout(const Typed& event) {
  const char* name = glfwGetKeyName(event.key, event.scancode);
  if (!name || name[1] != 0 || name[0] < 'a' || name[0] > 'z') return event.key;
  return GLFW_KEY_A + (name[0] - 'a');
}

// Not through the back end, which asks for the modifiers as they are now instead of when the key was pressed.
void tell_key(GLFWwindow*, const Typed& event) {
  if (event.action == GLFW_REPEAT) return;  // Dear ImGui repeats keys itself
  ImGuiIO& io = ImGui::GetIO();
  const bool down = event.action == GLFW_PRESS;
  const auto tell_modifier = [&](int mod, int left, int right, ImGuiKey key) {
    const bool itself = event.key == left || event.key == right;
    io.AddKeyEvent(key, itself ? down : (event.mods & mod) != 0);
  };
  tell_modifier(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, ImGuiMod_Ctrl);
  tell_modifier(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, ImGuiMod_Shift);
  tell_modifier(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, ImGuiMod_Alt);
  const ImGuiKey key = imgui_key(key_by_layout(event));
  if (key != ImGuiKey_None) io.AddKeyEvent(key, down);
}
#else
void tell_key(GLFWwindow* window, const Typed& event) {
  ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, event.action, event.mods);
}
#endif

bool in_field() {
  return ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive();
}

// Into a field letters come as characters; told as keys too, each would wait for a frame of its own.
bool only_types(const Typed& event) {
  return in_field() && event.action != GLFW_RELEASE && event.key >= GLFW_KEY_SPACE &&
         event.key < GLFW_KEY_ESCAPE &&
         (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) == 0;
}

}  // namespace

void ask_for_frame(GLFWwindow* window) {
  of(window).frames = std::max(of(window).frames, kFramesAfterInput);
}

void watch_window(GLFWwindow* window) {
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { ask_for_frame(w); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { ask_for_frame(w); });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { ask_for_frame(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { ask_for_frame(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { ask_for_frame(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) {
    of(w).uncovered = true;
    ask_for_frame(w);
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) {
    of(w).resized = true;
    ask_for_frame(w);
  });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { ask_for_frame(w); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    of(w).dropped.assign(paths, paths + count);
    ask_for_frame(w);
  });
}

// Dear ImGui looks at the keyboard once a frame: a key that went down and up between two frames would be
// lost, or a Ctrl that came up before its letter. So the keyboard is queued, and a frame gets what comes
// before the first release that follows a press.
void watch_keyboard(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    of(w).keyboard.push_back({key, scancode, action, mods, 0});
    ask_for_frame(w);
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
    of(w).keyboard.push_back({.character = character});
    ask_for_frame(w);
  });
}

void feed_keyboard(GLFWwindow* window) {
  Happened& happened = of(window);
  bool pressed = false, shortcut = false, edits = false;
  while (!happened.keyboard.empty()) {
    const Typed event = happened.keyboard.front();
    const bool release = event.character == 0 && event.action == GLFW_RELEASE;
    if ((release && pressed) || ((shortcut || edits) && event.character != 0)) break;
    happened.keyboard.pop_front();
    if (event.character != 0) {
      ImGui_ImplGlfw_CharCallback(window, ui::narrow_letter(event.character));
    } else if (!only_types(event)) {
      tell_key(window, event);
      pressed = pressed || !release;
      // Backspace, Enter and the arrows come before the letters that follow them.
      const bool modifier = event.key >= GLFW_KEY_LEFT_SHIFT && event.key <= GLFW_KEY_RIGHT_SUPER;
      edits = edits || (!release && !modifier && in_field());
      shortcut = shortcut || (!release && (event.mods & GLFW_MOD_CONTROL) != 0);
    }
  }
  if (!happened.keyboard.empty()) ask_for_frame(window);
}

// From 1.87 on Dear ImGui deals its events out over several frames: there is one more to draw while it has
// some.
bool has_events_left() {
#if IMGUI_VERSION_NUM >= 18700
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#else
  return false;
#endif
}

}  // namespace glassformer
