// The whole program without any display: for `render --view window`, for the README's pictures and for the
// tests of the screen. It opens a session, runs frames, and can be clicked and typed into like a person does,
// by the labels on screen.
//
//   OffscreenProgram program({.model = folder, .size = {1600, 1000}});
//   program.settle();
//   program.click("Search: Beam");
//   program.type("English sentence", "the red cat");  program.press(ui::Key::enter);  program.settle();
//   program.text("translation");
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/program.h"
#include "app/theme/geometry.h"

namespace glassformer {

struct OffscreenOptions {
  std::string model;  // folder; empty: the bundled one
  std::string corpus;
  Point size = {1600, 1000};  // device pixels
  double scale = 1;           // of fonts and everything else
  bool dark = false;
  std::string view = "attention";
  std::string session;                // a .glassformer file or a link text to begin with; empty: none
  std::string lesson;                 // a number in the list or a .lesson file to begin with; empty: none
  std::optional<bool> quiet = false;  // the first screen; absent: as the settings say
  bool keep_settings = false, keep_runs = false;
  int threads = 0;
  bool draws = false;  // every frame, as a screen does; else only those whose pixels are asked for
};

class OffscreenProgram {
 public:
  // Throws Error when this machine cannot draw. One at a time: Dear ImGui has one context.
  explicit OffscreenProgram(const OffscreenOptions& options);
  ~OffscreenProgram();
  OffscreenProgram(const OffscreenProgram&) = delete;
  OffscreenProgram& operator=(const OffscreenProgram&) = delete;

  // One frame, 1/60 s after the last.
  void frame(int count = 1);
  // Frames until nothing is being computed any more; false after so many seconds. Training counts as settled.
  bool settle(double seconds = 30);
  // Frames until the condition holds.
  bool wait(const std::function<bool()>& condition, double seconds = 30);

  // As a person does it, one event a frame. False when no such thing is on screen, or it is disabled.
  bool click(const std::string& label, bool control = false);
  bool right_click(const std::string& label);
  bool hover(const std::string& label);
  bool type(const std::string& field, const std::string& text);  // replaces what is in it
  void press(ui::Key key, bool down_only = false);
  void press(char letter, bool down_only = false);  // as a typed character; a letter, digit or sign
  void release(ui::Key key);
  void release(char letter);
  void move(Point at);  // effective pixels
  void scroll(Point at, float lines);
  void resize(Point pixels);

  // What is on screen.
  std::optional<ui::Widget> find(const std::string& label) { return program().ui().find(label); }
  std::string text(const std::string& label);  // its value; empty when it is not there
  bool visible(const std::string& label);
  std::vector<std::string> labels() { return program().ui().labels(); }
  // size() in rows from the top; drawn `anew`, or with what changed drawn over the frame before, as
  // everywhere
  std::vector<Color> pixels(bool anew = false);
  Point size() const;
  std::string clipboard() const;
  double build_seconds() const;    // of the last frame, without OpenGL
  double context_seconds() const;  // that making the OpenGL context took
  void finish_drawing();           // waits until OpenGL has drawn it

  Program& program();
  Session& session() { return program().session(); }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassformer
