#include "app/fonts/font_faces.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_TRUETYPE_TABLES_H

#include <cstdio>
#include <unordered_map>

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr float kUsualCapitals = 0.727f;  // of Inter, for fonts that do not say

// Joiners and choices between forms of a sign: nothing to see.
bool is_joiner(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2060 && c <= 0x2064) || (c >= 0xFE00 && c <= 0xFE0F);
}

std::size_t at(Font font) {
  return static_cast<std::size_t>(font);
}

}  // namespace

struct FontFaces::Data {
  FontFiles files;
  FT_Library library = nullptr;
  std::array<std::vector<FT_Face>, kFontCount> faces;  // as files.chains; null where a file cannot be read
  std::array<std::unique_ptr<InstalledFonts>, kFontCount> installed;  // made when first needed
  std::array<std::array<Glyph, 128>, kFontCount> ascii;
  std::array<std::unordered_map<char32_t, Glyph>, kFontCount> others;

  FT_Face open(const FontFile& file) const {
    FT_Face face = nullptr;
    if (FT_New_Face(library, file.path.c_str(), file.index, &face) != 0) return nullptr;
    if (face->units_per_EM == 0) {
      FT_Done_Face(face);
      return nullptr;
    }
    return face;
  }

  Glyph in_file(Font font, std::size_t number, char32_t code_point) const {
    FT_Face face = faces[at(font)][number];
    const FT_UInt index = face ? FT_Get_Char_Index(face, code_point) : 0;
    if (index == 0) return {};
    FT_Fixed advance = 0;
    FT_Get_Advance(face, index, FT_LOAD_NO_SCALE, &advance);
    return {static_cast<int>(number), index,
            static_cast<float>(advance) / static_cast<float>(face->units_per_EM)};
  }

  Glyph in_chain(Font font, char32_t code_point) const {
    for (std::size_t i = 0; i < faces[at(font)].size(); ++i) {
      const Glyph glyph = in_file(font, i, code_point);
      if (glyph.file >= 0) return glyph;
    }
    return {};
  }

  Glyph look_up(Font font, char32_t code_point) {
    Glyph glyph = in_chain(font, code_point);
    if (glyph.file >= 0 || code_point < 32) return glyph;
    // Another script: take what is installed.
    std::unique_ptr<InstalledFonts>& fonts = installed[at(font)];
    if (!fonts) fonts = std::make_unique<InstalledFonts>(font);
    if (const auto file = fonts->with(code_point)) {
      files.chains[at(font)].push_back(*file);
      faces[at(font)].push_back(open(*file));
      glyph = in_chain(font, code_point);
    }
    return glyph;
  }
};

FontFaces::FontFaces(FontFiles files) : data_(std::make_unique<Data>()) {
  data_->files = std::move(files);
  FT_Init_FreeType(&data_->library);
  for (std::size_t font = 0; font < kFontCount; ++font) {
    for (const FontFile& file : data_->files.chains[font]) data_->faces[font].push_back(data_->open(file));
    for (char32_t c = 0; c < 128; ++c) data_->ascii[font][c] = data_->in_chain(static_cast<Font>(font), c);
  }
}

FontFaces::~FontFaces() {
  FT_Done_FreeType(data_->library);
}

FontFaces::Glyph FontFaces::glyph(Font font, char32_t code_point) {
  if (code_point < 128) return data_->ascii[at(font)][code_point];
  auto& known = data_->others[at(font)];
  const auto found = known.find(code_point);
  if (found != known.end()) return found->second;
  const Glyph glyph = data_->look_up(font, code_point);
  known.emplace(code_point, glyph);
  return glyph;
}

float FontFaces::width(std::string_view utf8, Font font, float size) {
  float em = 0;
  for (std::size_t i = 0; i < utf8.size();) em += advance(font, next_code_point(utf8, i));
  return em * size;
}

float FontFaces::advance(Font font, char32_t code_point) {
  const Glyph found = glyph(font, code_point);
  if (found.file >= 0) return found.advance;
  // Without a font for ASCII there is none for the code either.
  if (code_point < 128 || is_joiner(code_point)) return 0;
  return width(MissingSign::code(code_point), font, MissingSign::kSize) + 2 * MissingSign::kPadding;
}

float FontFaces::capital_height(Font font) const {
  const auto& faces = data_->faces[at(font)];
  if (faces.empty() || !faces.front()) return kUsualCapitals;
  const auto* table = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(faces.front(), FT_SFNT_OS2));
  if (!table || table->version < 2 || table->sCapHeight <= 0) return kUsualCapitals;
  return static_cast<float>(table->sCapHeight) / static_cast<float>(faces.front()->units_per_EM);
}

float FontFaces::line_ratio(Font font, int file) const {
  const FT_Face face = data_->faces[at(font)][static_cast<std::size_t>(file)];
  if (!face) return 1.2f;
  return static_cast<float>(face->ascender - face->descender) / static_cast<float>(face->units_per_EM);
}

const FontFiles& FontFaces::files() const {
  return data_->files;
}

std::string MissingSign::code(char32_t code_point) {
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(code_point));
  return text;
}

float baseline_shift(const FontFaces& faces, Font font, float size) {
  return faces.capital_height(font) * size / 2;
}

}  // namespace glassformer
