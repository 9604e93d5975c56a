// What of a frame differs from the one before it. Without a graphics card OpenGL needs about two microseconds
// a triangle, which makes a whole frame slower than everything that led to it.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <vector>

#include "app/theme/geometry.h"

namespace glassformer {

struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;  // rows from the top; right and bottom lie outside

  bool empty() const { return right <= left || bottom <= top; }
  PixelRect cut(const PixelRect& other) const;
  bool operator==(const PixelRect&) const = default;
};

// A part of the window that is cleared before anything is drawn on it.
struct Backing {
  PixelRect rect;
  Color color;
};

class ChangedTiles {
 public:
  // The frame to be drawn, against the one of the last call: rectangles without overlap that hold every pixel
  // that may differ. The whole frame when it has another size, and after forget().
  std::vector<PixelRect> next(int width, int height, std::span<const Backing> backings,
                              const ImDrawData& data);
  void forget() { tiles_.clear(); }

 private:
  int width_ = 0, height_ = 0;
  std::vector<std::uint64_t> tiles_;  // in rows: a hash of all that is drawn there, in its order
};

// Takes every triangle out of `data` that touches none of the rectangles, and clips the others to them.
void keep_only(ImDrawData& data, std::span<const PixelRect> parts);

}  // namespace glassformer
