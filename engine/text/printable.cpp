#include "engine/text/printable.h"

#include "engine/text/unicode.h"

namespace glassformer {
namespace {

bool breaks_line(char32_t c) {
  return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

// Code points that Unicode keeps free for ever: U+FDD0 to U+FDEF and the last two of each plane.
bool is_noncharacter(char32_t c) {
  return (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t c = next_code_point(text, at);
    const bool windows_end = c == '\r' && at < text.size() && text[at] == '\n';
    if (windows_end) continue;  // its line feed is the blank
    if (breaks_line(c)) {
      shown += ' ';
    } else if (c == kReplacement || is_control(c) || is_noncharacter(c)) {
      append_utf8(shown, kReplacement);
    } else {
      shown += text.substr(from, at - from);
    }
  }
  return shown;
}

}  // namespace glassformer
