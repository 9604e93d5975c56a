// Small images on the graphics card for the colour grids of the screen. The same content keeps its texture
// from frame to frame; what was not drawn for a while is freed.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "app/theme/geometry.h"

namespace glassformer {

class Textures {
 public:
  Textures() = default;
  ~Textures();  // needs the OpenGL context that it was used with
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  // The OpenGL name of a texture with one texel a colour, sampled without smoothing. Needs a current context.
  unsigned upload(int rows, int columns, std::span<const Color> colors);
  // Once a frame, before drawing: frees what was not used in the last frames.
  void begin_frame();
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    unsigned name = 0;
    long last_frame = 0;
  };
  std::unordered_map<std::uint64_t, Entry> entries_;
  long frame_ = 0;
};

}  // namespace glassformer
