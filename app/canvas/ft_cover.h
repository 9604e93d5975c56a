// FreeType's rasterizer: how much of each pixel an outline covers.
#pragma once

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "app/canvas/shape.h"

namespace glassformer {

// The outline is in 1/64 pixels, y upwards from the foot of a picture of `height` rows; rows come out from
// the top.
inline void cover_outline(FT_Library library, FT_Outline& outline, int width, int height,
                          const Shape::Cover& cover) {
  struct Target {
    const Shape::Cover& cover;
    int height;
  } target{cover, height};
  FT_Raster_Params how{};
  how.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP;
  how.clip_box = {0, 0, width, height};
  how.user = &target;
  how.gray_spans = [](int y, int count, const FT_Span* spans, void* user) {
    const Target& to = *static_cast<const Target*>(user);
    for (const FT_Span& span : std::span(spans, static_cast<std::size_t>(count)))
      to.cover(to.height - 1 - y, span.x, span.len, span.coverage);
  };
  FT_Outline_Render(library, &outline, &how);
}

}  // namespace glassformer
