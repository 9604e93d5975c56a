// Screens of the program that are no view, as a picture or in words: for `render --view start`, `watch`,
// `view-menu` and `lesson`.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/theme/geometry.h"

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

}  // namespace glassformer
