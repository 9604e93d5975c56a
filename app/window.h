// The program in a window: GLFW gives frames, keys and the mouse, the Program (app/program.h) draws and
// answers.
#pragma once

#include <optional>
#include <string>

namespace glassformer {

struct WindowOptions {
  std::string model;     // folder; empty: the last one used, else the bundled one
  std::string corpus;    // opened with its preview; empty: none
  std::string session;   // a .glassformer file or a link text to begin with; empty: none
  std::string lesson;    // a number in the list or a .lesson file to begin with; empty: none
  bool lecture = false;  // lecture mode
  double scale = 0;      // of fonts and everything else; 0: kept from last time, else from the monitor
  std::optional<std::string> theme;  // "light" or "dark"; absent: kept from last time
};

// Opens the window and runs until it is closed; returns the exit code. Without a display or OpenGL: one
// sentence on stderr and 1.
int run_window(const WindowOptions& options);

}  // namespace glassformer
