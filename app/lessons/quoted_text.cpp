#include "app/lessons/quoted_text.h"

#include <array>

#include "app/lessons/value.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

int hexadecimal(char c) {
  const std::size_t at = std::string_view("0123456789abcdef").find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string quoted_where_blank(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\r\n\"\\;#") == std::string::npos &&
                     trimmed(text) == text && first_invalid_utf8(text) == std::string::npos;
  return plain ? text : as_quoted(text);
}

std::string as_quoted(std::string_view text) {
  const bool valid = first_invalid_utf8(text) == std::string_view::npos;
  std::string marked = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      marked += '\\', marked += c;
    else if (c == '\n')
      marked += "\\n";
    else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid))
      marked += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    else
      marked += c;
  }
  return marked + "\"";
}

std::string take_quoted(std::string_view& text) {
  const std::string_view whole = text;
  const auto mismatch = [&] {
    return Mismatch("a closing quotation mark", "“" + std::string(whole.substr(0, 60)) + "”");
  };
  std::string plain;
  for (std::size_t i = 1; i < whole.size(); ++i) {
    if (whole[i] == '"') {
      text.remove_prefix(i + 1);
      return plain;
    }
    if (whole[i] != '\\') {
      plain += whole[i];
      continue;
    }
    if (++i == whole.size()) throw mismatch();
    if (whole[i] == 'n') {
      plain += '\n';
    } else if (whole[i] == 'x') {
      const int high = i + 2 < whole.size() ? hexadecimal(whole[i + 1]) : -1,
                low = high < 0 ? -1 : hexadecimal(whole[i + 2]);
      if (low < 0) throw Mismatch("two hexadecimal digits behind “\\x”", "something else");
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    } else if (whole[i] == '"' || whole[i] == '\\') {
      plain += whole[i];
    } else {
      throw Mismatch("“\\\"”, “\\\\”, “\\n” or “\\x” and two digits", "“\\" + std::string(1, whole[i]) + "”");
    }
  }
  throw mismatch();
}

}  // namespace glassformer
