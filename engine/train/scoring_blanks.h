// Blanks as the field's scoring tools see them: Unicode's White_Space and the four ASCII separators.
#pragma once

#include <string>
#include <string_view>

#include "engine/text/unicode.h"

namespace glassformer {

inline bool is_scoring_blank(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// Every run of blanks becomes one `separator`; blanks at the ends go.
inline std::string with_blanks_as(std::string_view text, std::string_view separator) {
  std::string result;
  bool pending = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_scoring_blank(next_code_point(text, at))) {
      pending = !result.empty();
      continue;
    }
    if (pending) result += separator;
    pending = false;
    result += text.substr(begin, at - begin);
  }
  return result;
}

}  // namespace glassformer
