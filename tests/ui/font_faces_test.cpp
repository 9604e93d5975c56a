#include "app/fonts/font_faces.h"

#include <doctest/doctest.h>

#include "engine/text/unicode.h"

using namespace glassformer;

TEST_CASE("every font has a file for each letter of ASCII and each sign that the program writes") {
  FontFaces faces(find_font_files());
  for (Font font : {Font::regular, Font::semibold, Font::mono}) {
    for (char32_t c = 32; c < 127; ++c) CHECK(faces.glyph(font, c).file >= 0);
    for (char32_t c : code_points("−×·÷…“”→←√∞∑∂∇ᵀ²≤≥≈\u2009")) CHECK(faces.glyph(font, c).file >= 0);
  }
}

TEST_CASE("widths add up and grow with the size") {
  FontFaces faces(find_font_files());
  const float one = faces.width("voit", Font::regular, 14);
  CHECK(one > 0);
  CHECK(faces.width("voitvoit", Font::regular, 14) == doctest::Approx(2 * one));
  CHECK(faces.width("voit", Font::regular, 28) == doctest::Approx(2 * one));
  CHECK(faces.width("voit", Font::semibold, 14) > one);
}

TEST_CASE("digits of the number font are equally wide") {
  FontFaces faces(find_font_files());
  for (char digit = '0'; digit <= '9'; ++digit) {
    CHECK(faces.width(std::string(1, digit), Font::mono, 12) ==
          doctest::Approx(faces.width("0", Font::mono, 12)));
  }
  CHECK(faces.width("−", Font::mono, 12) == doctest::Approx(faces.width("0", Font::mono, 12)));
}

TEST_CASE("letters of other scripts come from an installed font that has them") {
  FontFaces faces(find_font_files());
  const InstalledFonts all(Font::regular);
  for (const char* word : {"слово", "λέξη", "词", "शब्द", "كلمة"}) {
    for (char32_t c : code_points(word)) {
      const bool installed = all.with(c).has_value();
      CHECK((faces.glyph(Font::regular, c).file >= 0) == installed);
      CHECK(faces.advance(Font::regular, c) >= 0);
    }
  }
}

TEST_CASE("without any design font there is still a chain to measure with") {
  FontFiles files = find_font_files();
  for (auto& chain : files.chains) chain.clear();
  FontFaces faces(files);
  CHECK(faces.width("voit", Font::regular, 14) >= 0);
  CHECK(faces.capital_height(Font::regular) > 0.5f);
}
