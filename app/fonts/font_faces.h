// The fonts opened for measuring. Advances are those of the design, without hinting and kerning, so that the
// same text is equally wide on screen, in SVG and in PDF, at every scale. One object per thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/fonts/font_files.h"

namespace glassformer {

class FontFaces {
 public:
  explicit FontFaces(FontFiles files);
  ~FontFaces();
  FontFaces(const FontFaces&) = delete;
  FontFaces& operator=(const FontFaces&) = delete;

  struct Glyph {
    int file = -1;       // into files().chains[font]; -1: no installed font has it
    unsigned index = 0;  // glyph number in that file
    float advance = 0;   // in em
  };
  // Looks through the chain, then asks fontconfig for another font and puts it at the chain's end.
  Glyph glyph(Font font, char32_t code_point);

  // Advance in em; for a sign that no installed font has that of the box with its code.
  float advance(Font font, char32_t code_point);

  float width(std::string_view utf8, Font font, float size);  // px
  float capital_height(Font font) const;                      // in em
  float line_ratio(Font font, int file) const;  // ascent plus descent, in em: ImGui's size for an em of 1
  const FontFiles& files() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// What replaces a sign that no installed font has: its code, "U+1F600", in a box.
struct MissingSign {
  static constexpr float kSize = 0.7f, kPadding = 0.2f;  // of the letters; on each side of them; in em
  static std::string code(char32_t code_point);
};

// How far below its middle the baseline of a line of text lies: half the capital height.
float baseline_shift(const FontFaces& faces, Font font, float size);

}  // namespace glassformer
