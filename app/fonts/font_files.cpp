#include "app/fonts/font_files.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <memory>

namespace glassformer {
namespace {

struct PatternFree {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using Pattern = std::unique_ptr<FcPattern, PatternFree>;

FcChar8* fc_text(const char* text) {
  return reinterpret_cast<FcChar8*>(const_cast<char*>(text));
}

// TrueType or OpenType outlines, the formats that Dear ImGui's rasterizer reads.
bool readable(FcPattern* font) {
  FcChar8* format = nullptr;
  FcBool outline = FcFalse, variable = FcFalse;
  FcPatternGetBool(font, FC_OUTLINE, 0, &outline);
  FcPatternGetBool(font, FC_VARIABLE, 0, &variable);
  if (FcPatternGetString(font, FC_FONTFORMAT, 0, &format) != FcResultMatch) return false;
  const std::string name = reinterpret_cast<const char*>(format);
  return outline && !variable && (name == "TrueType" || name == "CFF");
}

std::optional<FontFile> file_of(FcPattern* font) {
  FcChar8* path = nullptr;
  int index = 0;
  if (FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch) return std::nullopt;
  FcPatternGetInteger(font, FC_INDEX, 0, &index);
  // The upper half numbers named instances of variable fonts.
  return FontFile{reinterpret_cast<const char*>(path), index & 0xFFFF};
}

int fc_weight(Font font) {
  return font == Font::semibold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR;
}

Pattern upright(Font font) {
  Pattern pattern(FcPatternCreate());
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, fc_weight(font));
  FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddBool(pattern.get(), FC_OUTLINE, FcTrue);
  return pattern;
}

// The best match of a pattern, if it is of the family asked for ("" takes any).
std::optional<FontFile> matched(FcPattern* pattern, const std::string& family) {
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultNoMatch;
  const Pattern font(FcFontMatch(nullptr, pattern, &result));
  if (!font || !readable(font.get())) return std::nullopt;
  if (family.empty()) return file_of(font.get());
  FcChar8* found = nullptr;
  for (int i = 0; FcPatternGetString(font.get(), FC_FAMILY, i, &found) == FcResultMatch; ++i) {
    if (FcStrCmpIgnoreCase(found, fc_text(family.c_str())) == 0) return file_of(font.get());
  }
  return std::nullopt;
}

std::optional<FontFile> find_family(const std::string& family, Font font) {
  const Pattern pattern = upright(font);
  FcPatternAddString(pattern.get(), FC_FAMILY, fc_text(family.c_str()));
  return matched(pattern.get(), family);
}

}  // namespace

FontFiles find_font_files() {
  FontFiles files;
  const std::array<const char*, kFontCount> families = {"Inter", "Inter", "JetBrains Mono"};
  for (int i = 0; i < kFontCount; ++i) {
    const Font font = static_cast<Font>(i);
    std::vector<FontFile>& chain = files.chains[static_cast<std::size_t>(i)];
    const auto add = [&chain](const std::optional<FontFile>& file) {
      if (file && std::find(chain.begin(), chain.end(), *file) == chain.end()) chain.push_back(*file);
      return file.has_value();
    };
    const std::string family = families[static_cast<std::size_t>(i)];
    if (!add(find_family(family, font)) &&
        std::find(files.missing.begin(), files.missing.end(), family) == files.missing.end()) {
      files.missing.push_back(family);
    }
    if (chain.empty() && font == Font::mono) add(find_family("DejaVu Sans Mono", font));
    if (!add(find_family("DejaVu Sans", Font::regular)) && chain.empty()) {
      const Pattern any = upright(font);
      add(matched(any.get(), ""));
    }
  }
  return files;
}

struct InstalledFonts::Data {
  FcFontSet* sorted = nullptr;
};

InstalledFonts::InstalledFonts(Font font) : data_(std::make_unique<Data>()) {
  const Pattern pattern = upright(font);
  FcPatternAddString(pattern.get(), FC_FAMILY, fc_text("sans-serif"));
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  data_->sorted = FcFontSort(nullptr, pattern.get(), FcFalse, nullptr, &result);
}

InstalledFonts::~InstalledFonts() {
  if (data_->sorted) FcFontSetDestroy(data_->sorted);
}

std::optional<FontFile> InstalledFonts::with(char32_t code_point) const {
  // Best match first; the first that has the sign is the one.
  for (int i = 0; data_->sorted && i < data_->sorted->nfont; ++i) {
    FcPattern* font = data_->sorted->fonts[i];
    FcCharSet* has = nullptr;
    if (FcPatternGetCharSet(font, FC_CHARSET, 0, &has) != FcResultMatch) continue;
    if (FcCharSetHasChar(has, code_point) && readable(font)) return file_of(font);
  }
  return std::nullopt;
}

}  // namespace glassformer
