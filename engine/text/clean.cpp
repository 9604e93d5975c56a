#include "engine/text/clean.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/text/compose.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

bool is_invisible(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool direction = c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                         (c >= 0x2066 && c <= 0x2069);
  return control || direction || c == 0x00AD || c == 0x200B || c == 0x2060 || c == 0xFEFF;
}

}  // namespace

std::string cleaned(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  bool blank_waits = false;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    if (is_blank(c)) {
      blank_waits = !result.empty();
    } else if (!is_invisible(c)) {
      if (blank_waits) result.push_back(' ');
      blank_waits = false;
      append_utf8(result, c);
    }
  }
  return composed(result);
}

std::string excerpt_of(std::string_view line) {
  constexpr std::size_t kCharacters = 48, kBytes = 4 * kCharacters;
  const std::vector<char32_t> characters = code_points(cleaned(line.substr(0, kBytes)));
  const std::size_t shown = std::min(characters.size(), kCharacters);
  std::string excerpt =
      to_utf8({characters.begin(), characters.begin() + static_cast<std::ptrdiff_t>(shown)});
  return characters.size() > shown || line.size() > kBytes ? excerpt + "…" : excerpt;
}

}  // namespace glassformer
