// Which font files the program uses, found through fontconfig: Inter and JetBrains Mono, DejaVu Sans for
// signs that they lack, and any installed font for other scripts.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/fonts/font.h"

namespace glassformer {

struct FontFile {
  std::string path;
  int index = 0;  // within a collection
  bool operator==(const FontFile&) const = default;
};

// For each Font the files to look for a glyph in, best first. A value: copy it to the thread that needs it.
struct FontFiles {
  std::array<std::vector<FontFile>, kFontCount> chains;
  std::vector<std::string>
      missing;  // families of the design that are not installed, for a sentence on screen
};

// Never throws: without Inter or JetBrains Mono the chain begins with DejaVu, without DejaVu with whatever
// fontconfig offers.
FontFiles find_font_files();

// The installed fonts near to one of the program's, upright and of its weight, for letters that the program's
// own lack. Made once and asked often: a vocabulary may hold thousands of letters.
class InstalledFonts {
 public:
  explicit InstalledFonts(Font font);
  ~InstalledFonts();
  InstalledFonts(const InstalledFonts&) = delete;
  InstalledFonts& operator=(const InstalledFonts&) = delete;

  std::optional<FontFile> with(char32_t code_point) const;  // nothing when no font has it

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace glassformer
