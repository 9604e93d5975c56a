// The glyphs that the screen draws with, baked into Dear ImGui's font atlas for the sizes of the look and the
// font scale at hand. What a picture asks for and the atlas lacks (another script, another size) is noted
// down and baked before the next frame:
//
//   BakedFonts fonts(find_font_files());
//   fonts.bake(scale, texture);          // at the start and when the scale changes
//   ...each frame, before NewFrame:  if (fonts.wants_baking()) fonts.bake(fonts.scale(), texture);
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "app/fonts/font_faces.h"

struct ImFont;

namespace glassformer {

class BakedFonts {
 public:
  explicit BakedFonts(FontFiles files);
  ~BakedFonts();
  BakedFonts(const BakedFonts&) = delete;
  BakedFonts& operator=(const BakedFonts&) = delete;

  // Rebuilds the atlas of the current ImGui context; `renew_texture` hands it to the back end (destroy and
  // create the fonts texture). Call between frames.
  void bake(float scale, const std::function<void()>& renew_texture = {});
  bool wants_baking() const;         // glyphs or sizes were asked for that are not baked yet
  void want(std::string_view utf8);  // glyphs needed soon: the vocabulary, the typed text
  float scale() const;

  FontFaces& faces();  // for measuring
  // For ImGui's own widgets: the font whose em size is nearest to `size` (effective pixels). Valid until the
  // next bake.
  ImFont* im_font(Font font, float size);

  // For ScreenCanvas: one glyph as a textured quad relative to the pen on the baseline, in device pixels for
  // an em of `em_px` device pixels. False: nothing to draw (blank, or not baked yet: then it is noted down).
  struct Quad {
    float x0, y0, x1, y1, u0, v0, u1, v1;
  };
  struct Run;  // a font at a size
  const Run& run(Font font, float em_px);
  bool quad(const Run& run, char32_t code_point, Quad& quad);
  // The hatch pattern's place in the atlas: `period` device pixels between lines, tile of `tile` device
  // pixels.
  struct Hatch {
    float u0 = 0, v0 = 0, texel_u = 0, texel_v = 0;
    int tile = 0, period = 0;
  };
  const Hatch& hatch() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace glassformer
