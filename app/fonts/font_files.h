// Which font files the program uses, found through fontconfig: Inter and JetBrains Mono, DejaVu Sans for
// signs that they lack, and any installed font for other scripts.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"

namespace glassformer {

struct FontFile {
  std::string path;
  int index = 0;  // within a collection
  bool operator==(const FontFile&) const = default;
};

constexpr int kFontCount = 3;  // of enum Font

// For each Font the files to look for a glyph in, best first. A value: copy it to the thread that needs it.
struct FontFiles {
  std::array<std::vector<FontFile>, kFontCount> chains;
  std::vector<std::string>
      missing;  // families of the design that are not installed, for a sentence on screen
};

// Never throws: without Inter or JetBrains Mono the chain begins with DejaVu, without DejaVu with whatever
// fontconfig offers.
FontFiles find_font_files();

// An installed font that has a code point, upright and of a weight near to what is asked; nothing when there
// is none.
std::optional<FontFile> find_font_with(char32_t code_point, Font font);

}  // namespace glassformer
