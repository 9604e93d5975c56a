#include "engine/text/lines.h"

#include <algorithm>
#include <cstddef>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

// A lone surrogate, written as if it were a code point: three bytes that no check for UTF-8 lets pass.
void append_wrong_unit(std::string& text, char32_t unit) {
  text += static_cast<char>(0xE0 | (unit >> 12));
  text += static_cast<char>(0x80 | ((unit >> 6) & 0x3F));
  text += static_cast<char>(0x80 | (unit & 0x3F));
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit_at = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]),
               second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  const auto is_high = [](char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; };
  const auto is_low = [](char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; };
  std::string text;
  text.reserve(bytes.size());
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    const char32_t unit = unit_at(i);
    if (is_high(unit) && i + 3 < bytes.size() && is_low(unit_at(i + 2))) {
      append_utf8(text, 0x10000 + ((unit - 0xD800) << 10) + (unit_at(i + 2) - 0xDC00));
      i += 2;
    } else if (is_high(unit) || is_low(unit)) {
      append_wrong_unit(text, unit);
    } else {
      append_utf8(text, unit);
    }
  }
  if (i < bytes.size()) text += '\xFF';  // half a unit at the end
  return text;
}

// Mostly Latin text in UTF-16 has a zero in every other byte.
bool looks_like_utf16(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 4096);
  const auto zeros = std::count(head.begin(), head.end(), '\0');
  return head.size() >= 4 && static_cast<std::size_t>(zeros) * 4 >= head.size();
}

}  // namespace

DecodedText decoded_text(std::string bytes, const std::string& where) {
  using namespace std::string_literals;
  if (bytes.starts_with("\xFF\xFE\0\0"s) || bytes.starts_with("\0\0\xFE\xFF"s)) {
    throw Error(
        where,
        "the file is UTF-32; expected UTF-8. Save it as UTF-8, for example with: iconv -f UTF-32 -t UTF-8");
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.erase(0, 3);
    return {std::move(bytes), {}};
  }
  if (bytes.starts_with("\xFF\xFE")) {
    return {from_utf16(std::string_view(bytes).substr(2), false), {"read as UTF-16 (little-endian)"}};
  }
  if (bytes.starts_with("\xFE\xFF")) {
    return {from_utf16(std::string_view(bytes).substr(2), true), {"read as UTF-16 (big-endian)"}};
  }
  if (looks_like_utf16(bytes)) {
    throw Error(where,
                "the file is binary, or UTF-16 without a byte order mark; expected UTF-8. Save it as UTF-8, "
                "for example with: iconv -f UTF-16LE -t UTF-8");
  }
  return {std::move(bytes), {}};
}

std::vector<std::string_view> split_lines(std::string_view text, bool cut_at_lone_cr) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] != '\n' && !pair && !(text[i] == '\r' && cut_at_lone_cr)) continue;
    lines.push_back(text.substr(start, i - start));
    if (pair) ++i;
    start = i + 1;
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

}  // namespace glassformer
