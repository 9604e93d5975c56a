#include "engine/text/lines.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/math/error.h"
#include "engine/text/grammar_lines.h"
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

// What Windows-1252 has where Latin-1 has control characters; 0: nothing.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

// Latin-1 has nothing to read from 0x80 to 0x9F, so that both names read the bytes alike.
std::string from_windows_1252(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const char32_t code = byte >= 0x80 && byte < 0xA0 ? kWindows1252[byte - 0x80u] : byte;
    if (code == 0 && byte != 0) {
      text += c;
    } else {
      append_utf8(text, code);
    }
  }
  return text;
}

bool is_utf8_past_ascii(std::string_view bytes) {
  return first_invalid_utf8(bytes) == std::string_view::npos &&
         std::any_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<signed char>(c) < 0; });
}

}  // namespace

void check_encoding(const std::string& name) {
  constexpr std::string_view kKnown[] = {"", "utf-8", "utf-16le", "utf-16be", "windows-1252", "latin-1"};
  if (std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown)) return;
  throw Error("encoding", "\"" + to_utf8(code_points(name.substr(0, 40))) +
                              "\" is not known; expected utf-8, utf-16le, utf-16be, windows-1252 or "
                              "latin-1. Convert other text with iconv -t UTF-8");
}

std::string wide_encoding(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  const std::string_view head = bytes.substr(0, 4096);
  std::array<std::size_t, 4> zeros{};  // in the first, second ... byte of four
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 4] += head[i] == '\0' ? 1 : 0;
  if (head.size() < 4 || 4 * (zeros[0] + zeros[1] + zeros[2] + zeros[3]) < head.size()) return {};
  // The third and fourth byte, or the first two, are zero in every letter but the rarest.
  const std::size_t most = head.size() / 4 - head.size() / 40;
  if (zeros[2] >= most && zeros[3] >= most) return "UTF-32LE";
  if (zeros[0] >= most && zeros[1] >= most) return "UTF-32BE";
  return zeros[0] + zeros[2] > zeros[1] + zeros[3] ? "UTF-16BE" : "UTF-16LE";
}

DecodedText decoded_text(std::string bytes, const std::string& where, const std::string& encoding) {
  const std::string wide = wide_encoding(bytes);
  if (wide.starts_with("UTF-32"))
    throw Error(where, (wide == "UTF-32" ? "the file is UTF-32"
                                         : "the file is binary, or " + wide + " without a byte order mark") +
                           "; expected UTF-8. Save it as UTF-8, for example with: iconv -f " + wide +
                           " -t UTF-8 OLD > NEW");
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
  check_encoding(encoding);
  if (encoding == "utf-16le" || encoding == "utf-16be")
    return {from_utf16(bytes, encoding == "utf-16be"), {"read as " + encoding}};
  if (!wide.empty())
    throw Error(where, "the file is binary, or " + wide +
                           " without a byte order mark; expected UTF-8. Save it as UTF-8, for example with: "
                           "iconv -f " +
                           wide + " -t UTF-8 OLD > NEW; a command also takes the encoding’s name, " +
                           to_lower(wide));
  if (encoding == "windows-1252" || encoding == "latin-1") {
    if (is_utf8_past_ascii(bytes))
      return {std::move(bytes), {"read as UTF-8, which it is, not as " + encoding}};
    return {from_windows_1252(bytes), {"read as " + encoding}};
  }
  const std::string declared = encoding.empty() ? declared_encoding(bytes) : std::string();
  if (declared.empty() ||
      (first_invalid_utf8(bytes) == std::string::npos && bytes.find('\x1B') == bytes.npos))
    return {std::move(bytes), {}};
  return {converted(bytes, declared, where), {"read as " + declared + ", which it declares"}};
}

std::vector<std::string_view> split_lines(std::string_view text, bool cut_at_lone_cr) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && text[i] != '\r') continue;
    std::size_t end = i;  // where the LF is that the CRs lead to
    while (end < text.size() && text[end] == '\r' && end < i + 2) ++end;
    const bool leads_to_lf = end < text.size() && text[end] == '\n';
    if (!leads_to_lf && !cut_at_lone_cr) continue;
    lines.push_back(text.substr(start, i - start));
    if (leads_to_lf) i = end;
    start = i + 1;
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

}  // namespace glassformer
