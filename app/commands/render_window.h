// The whole program as a picture, for `render --view window`.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/scene/command.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/theme/geometry.h"
#include "app/views/common/comparison.h"

namespace glassformer {

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

}  // namespace glassformer
