#include "app/window_events.h"

#include <backends/imgui_impl_glfw.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>

#include "app/imgui_setup.h"
#include "app/ui/wide_letters.h"

namespace glassformer {

namespace {

constexpr int kFramesAfterInput = 2;  // a hover shows in the second one

Happened& of(GLFWwindow* window) {
  return *static_cast<Happened*>(glfwGetWindowUserPointer(window));
}

// A key that the program does nothing with; to a field it is one that types.
constexpr int kOtherKey = GLFW_KEY_WORLD_1;

// The current layout; GLFW itself knows keys by their places.
bool layout_has_latin_letters() {
  for (int key = GLFW_KEY_A; key <= GLFW_KEY_Z; ++key) {
    const char* name = glfwGetKeyName(key, 0);
    if (name && name[1] == 0 && name[0] >= 'a' && name[0] <= 'z') return true;
  }
  return false;
}

#if IMGUI_VERSION_NUM >= 18700
// Not through the back end, which asks for the current modifiers instead of those when the key was pressed.
void send_key(GLFWwindow*, const Typed& event) {
  if (event.action == GLFW_REPEAT) return;  // Dear ImGui repeats keys itself
  ImGuiIO& io = ImGui::GetIO();
  const bool down = event.action == GLFW_PRESS;
  const auto send_modifier = [&](int mod, int left, int right, ImGuiKey key) {
    const bool itself = event.key == left || event.key == right;
    io.AddKeyEvent(key, itself ? down : (event.mods & mod) != 0);
  };
  send_modifier(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, ImGuiMod_Ctrl);
  send_modifier(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, ImGuiMod_Shift);
  send_modifier(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, ImGuiMod_Alt);
  const ImGuiKey key = imgui_key(event.key);
  if (key != ImGuiKey_None) io.AddKeyEvent(key, down);
}
#else
void send_key(GLFWwindow* window, const Typed& event) {
  ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, event.action, event.mods);
}
#endif

bool in_field() {
  return ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive();
}

// Into a field letters come as characters; sent as keys too, each would wait for its own frame.
bool only_types(const Typed& event) {
  return in_field() && event.action != GLFW_RELEASE && event.key >= GLFW_KEY_SPACE &&
         event.key < GLFW_KEY_ESCAPE &&
         (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) == 0;
}

bool is_letter_key(int key) {
  return key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
}

}  // namespace

int key_by_layout(int key, const char* name, bool latin) {
  if (!name || key < GLFW_KEY_SPACE || key >= GLFW_KEY_ESCAPE) return key;
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL) return key;
  const char sign = name[0] == 0 || name[1] != 0 ? '\0' : name[0];
  if (sign >= 'a' && sign <= 'z') return GLFW_KEY_A + (sign - 'a');
  if (sign == '+' || sign == '=') return GLFW_KEY_EQUAL;
  if (sign == '-') return GLFW_KEY_MINUS;
  const bool acts = is_letter_key(key) || key == GLFW_KEY_EQUAL || key == GLFW_KEY_MINUS;
  return latin && acts ? kOtherKey : key;
}

void ask_for_frame(GLFWwindow* window) {
  of(window).frames = std::max(of(window).frames, kFramesAfterInput);
}

void watch_window(GLFWwindow* window) {
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    Happened& happened = of(w);
    const std::pair at{x, y};
    if (!happened.mouse_lay) happened.mouse_lay = at;
    happened.mouse_moved = happened.mouse_moved || *happened.mouse_lay != at;
    ask_for_frame(w);
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) {
    of(w).mouse_moved = true;
    ask_for_frame(w);
  });
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
    Happened& happened = of(w);
    // It comes up as what it went down as, whatever the layout is by then.
    const auto pressed = happened.pressed.find(scancode);
    int acts_as = key;
    if (action != GLFW_PRESS && pressed != happened.pressed.end()) {
      acts_as = pressed->second;
      if (action == GLFW_RELEASE) happened.pressed.erase(pressed);
    } else if (action == GLFW_PRESS) {
      const bool latin = layout_has_latin_letters();
      acts_as = key_by_layout(key, glfwGetKeyName(key, scancode), latin);
      happened.pressed.insert_or_assign(scancode, acts_as);
      happened.place = !latin && is_letter_key(key) ? key : 0;
    }
    happened.keyboard.push_back({acts_as, scancode, action, mods, 0});
    ask_for_frame(w);
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
    of(w).keyboard.push_back({.key = of(w).place, .character = character});
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
      const bool by_place = event.key != 0 && !in_field();
      const unsigned letter =
          by_place ? static_cast<unsigned>(event.key - GLFW_KEY_A + 'a') : event.character;
      ImGui_ImplGlfw_CharCallback(window, ui::narrow_letter(letter));
    } else if (!only_types(event)) {
      send_key(window, event);
      pressed = pressed || !release;
      // Backspace, Enter and the arrows come before the letters that follow them.
      const bool modifier = event.key >= GLFW_KEY_LEFT_SHIFT && event.key <= GLFW_KEY_RIGHT_SUPER;
      edits = edits || (!release && !modifier && in_field());
      shortcut = shortcut || (!release && (event.mods & GLFW_MOD_CONTROL) != 0);
    }
  }
  if (!happened.keyboard.empty()) ask_for_frame(window);
}

void feed_mouse(GLFWwindow* window) {
  if (of(window).mouse_moved) return;
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
#else
  io.MousePos = {-FLT_MAX, -FLT_MAX};
#endif
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
