// The whole program but for where its frames go: session, panels, fonts, textures. A window (app/window.h)
// and the rendering without a display (app/offscreen.h) both run it, so that what the tests see is what
// people see.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/changed_tiles.h"
#include "app/fonts/baked_fonts.h"
#include "app/panels/shell.h"
#include "app/session/session.h"
#include "app/theme/geometry.h"
#include "app/ui/ui.h"

namespace glassformer {

class Textures;

// Seconds that are left between frames for which nobody's input asks: at most eight frames a second, and
// while a model trains on all cores a 24th of one core's time, when a frame takes so many seconds of it; but
// about twice a second in any case.
constexpr double unasked_interval(double frame_seconds) {
  return std::clamp(24 * frame_seconds, 1.0 / 8, 1.0 / 2);
}

struct ProgramOptions {
  SessionOptions session;
  ShellOptions shell;
};

// Needs a Dear ImGui context, and an OpenGL context while frames are drawn.
class Program {
 public:
  explicit Program(ProgramOptions options);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Before ImGui::NewFrame: takes what the workers finished and bakes glyphs that were missing;
  // `renew_texture` hands the font atlas to the back end again. True when something that is shown has
  // changed.
  bool prepare(const std::function<void()>& renew_texture);
  // Between NewFrame and Render: the screen, of so many device pixels.
  void frame(Point pixels, double time);
  // After Render, before its draw data go to OpenGL: clears the window in the colours of the panels. If the
  // frame before still is there, only what differs from it is cleared and left in `data`; false: nothing
  // does.
  bool clear(ImDrawData& data, int width, int height, bool keeps_picture);

  // Seconds until the next frame is wanted although nothing happens; below 0: none.
  double wanted_frame() const;
  // Nothing is being computed, baked, read or written: the picture is until something happens.
  bool settled() const;
  bool training() const { return session_.training(); }  // the run, or a variant beside it
  bool wants_close() const { return shell_.wants_close(); }
  // Before the program ends: true when all is saved, or the person does without; else it asks, and stays.
  bool may_close();
  void dropped(const std::vector<std::string>& paths);

  Session& session() { return session_; }
  Shell& shell() { return shell_; }
  ui::Ui& ui() { return ui_; }
  BakedFonts& fonts() { return fonts_; }

 private:
  std::vector<Backing> backings(int width, int height) const;

  Session session_;
  Shell shell_;
  BakedFonts fonts_;
  std::unique_ptr<Textures> textures_;
  ui::Ui ui_;
  Commands waiting_;  // of files that were dropped
  ChangedTiles changed_;
  bool baked_ = false;
  int again_ = 0;  // frames still to be drawn after a command
};

}  // namespace glassformer
