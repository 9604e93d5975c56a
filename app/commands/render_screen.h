// Screens of the program that are no view, as a picture or in words: for `render --view start`, `watch`,
// `view-menu` and `lesson`.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "app/lessons/staged_page.h"
#include "app/theme/geometry.h"
#include "app/views/common/view.h"

namespace glassformer {

inline constexpr std::array kScreens{"start", "watch", "view-menu", "lesson"};

struct ScreenPicture {
  std::string screen;              // one of kScreens
  std::string model;               // folder; empty: the bundled one
  std::string source;              // empty: the model's own
  std::string lesson;              // in a lecture: a number in the list or a .lesson file
  int step = 1;                    // of the watched training, at least; page of the lesson
  std::optional<Point> size = {};  // effective pixels; nothing: 1600x1000, of a lesson 1024x768
  double scale = 2;
  bool dark = false;
  std::string out;    // a .png; empty: none
  bool text = false;  // its words, to standard output
};

// Throws Error when it cannot be shown or the file not be written.
void render_screen(const ScreenPicture& picture);

// The whole program as a picture, for `render --view window`.

struct WindowPicture {
  std::shared_ptr<const StagedPage> page;  // what it shows
  std::string panels = {};                 // as SessionState::window has them
  Point size = {1600, 1000};               // effective pixels
  double scale = 2;                        // device pixels in one of them
  bool dark = false;
  std::string out;  // a .png
};

// Throws Error when it cannot show the page or the file not be written.
void render_window(const WindowPicture& picture);

// What `render` can draw, by the names on the command line.

inline constexpr const char* kWindow = "window";

bool is_screen(const std::string& name);  // start, watch, view-menu, lesson
std::string view_names();                 // all, between commas
std::string panel_names();                // "attention: all heads, one head; head: step"
// Throws CLI::ValidationError that names them all.
std::unique_ptr<View> view_named(const std::string& name);

}  // namespace glassformer
