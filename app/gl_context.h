// An OpenGL context with no window and no display, and a picture to draw into: EGL on Mesa's surfaceless
// platform.
#pragma once

#include <vector>

#include "app/theme/geometry.h"

namespace glassformer {

class GlContext {
 public:
  // Throws Error when this machine offers no such context.
  GlContext(int width, int height);
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  void resize(int width, int height);
  void bind() const;                  // before drawing
  std::vector<Color> pixels() const;  // rows from the top
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
  unsigned frame_ = 0, texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace glassformer
