// Screens of the program that are no view, as a picture or in words: for `render --view start`, `watch`,
// `view-menu` and `lesson`.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/figure/figure.h"
#include "app/scene/command.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/session/opened_model.h"
#include "app/theme/geometry.h"
#include "app/views/common/comparison.h"
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
  std::string model;                // folder; empty: the bundled one
  std::string source, target;       // empty: the model's own
  std::optional<Other> other = {};  // compared with
  ComparedAs as = ComparedAs::both;
  // What is changed in the Scene that was set up without it; null: nothing.
  std::function<WhatIf(const SceneResult& untouched)> changes = {};
  Selection selection;
  std::optional<long> at_step = {};  // an earlier step of the training that is kept
  std::string session = {};          // a link text that brings up all of this; empty: none
  Point size = {1600, 1000};         // effective pixels
  double scale = 2;                  // device pixels in one of them
  bool dark = false;
  std::string out;  // a .png
};

// Throws Error when the model cannot be opened, the sentence not be translated or the file not be written.
void render_window(const WindowPicture& picture);

// What `render` can draw, by the names on the command line.

inline constexpr const char* kWindow = "window";

bool is_screen(const std::string& name);  // start, watch, view-menu, lesson
std::string view_names();                 // all, between commas
std::string panel_names();                // "attention: all heads, one head; head: step"
// Throws CLI::ValidationError that names them all.
std::unique_ptr<View> view_named(const std::string& name);

// The other side of `render --against`: a kept step of the same model, or another model.

class RenderSecond {
 public:
  // A number is a step, all else a folder. `first` must outlive this. Throws Error when nothing is kept near
  // that step, or the folder is no model.
  RenderSecond(const OpenedModel& first, const std::string& against);

  // What “from other” takes from: the words of the first as they are without changes, by the other weights.
  // Throws Error when a change finds no counterpart there.
  std::shared_ptr<const Trace> values_for(const WhatIf& what_if, const SceneResult& untouched) const;
  // Both, as `view` draws them.
  FigureContent::Second content(const View& view, ComparedAs as,
                                const std::shared_ptr<const SceneResult>& first) const;
  // As the window is asked for it.
  Other other() const;

 private:
  std::shared_ptr<const SceneResult> on_words_of(const SceneResult& first) const;

  const OpenedModel& first_;
  OpenedModel opened_;  // of another folder alone
  bool step_ = false;
  std::shared_ptr<const Snapshot> weights_;
  std::optional<long> looked_back_;
  const OpenedModel& model() const { return step_ ? first_ : opened_; }
};

}  // namespace glassformer
