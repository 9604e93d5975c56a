// What GLFW reports of the mouse, the keyboard and the window, kept for the next frame, and how the keyboard
// reaches Dear ImGui.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glassformer {

// One event of the keyboard: a key that goes down, repeats or comes up, or a character.
struct Typed {
  // By the layout. Of a character on a layout without Latin letters: the letter key it was typed with, else
  // 0.
  int key = 0;
  int scancode = 0, action = GLFW_PRESS, mods = 0;
  unsigned character = 0;  // 0: a key
};

// What came through GLFW's callbacks, besides what Dear ImGui takes from it.
struct Happened {
  int frames = 3;              // to be drawn
  std::deque<Typed> keyboard;  // not yet sent to Dear ImGui
  std::map<int, int> pressed;  // by scancode: what each key that is down acts as
  int place = 0;               // as Typed::key of the characters that follow
  std::vector<std::string> dropped;
  bool resized = false, uncovered = false;
  // Where the mouse lay when the window came up under it; it points at nothing until it moves or a button
  // goes down.
  std::optional<std::pair<double, double>> mouse_lay;
  bool mouse_moved = false;
};

// The window's user pointer is its Happened. Before Dear ImGui installs its callbacks, which call these in
// turn.
void watch_window(GLFWwindow* window);
// After it did: these replace its own.
void watch_keyboard(GLFWwindow* window);

// What a key acts as whose place is `key` and that bears `name` in the current layout: the key of that
// letter. On a layout with `latin` letters a key that bears another sign is no letter's; on one without, it
// is its place's.
int key_by_layout(int key, const char* name, bool latin);

// A frame is to be drawn.
void ask_for_frame(GLFWwindow* window);
// Before a new frame: as much of the keyboard as one frame may get.
void feed_keyboard(GLFWwindow* window);
// As above, after the back end's new frame: a mouse that has not moved yet is nowhere.
void feed_mouse(GLFWwindow* window);
// Dear ImGui has something of it for its own frame.
bool has_events_left();

}  // namespace glassformer
