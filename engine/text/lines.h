// From the bytes of a text file to its lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct DecodedText {
  std::string text;                // UTF-8, no byte order mark; where the bytes were wrong they still are
  std::vector<std::string> notes;  // "read as UTF-16 (little-endian)"
};

// Takes off a byte order mark and turns UTF-16 with one into UTF-8. UTF-16 without a mark and UTF-32 are an
// Error that says how to save the file. A lone half of a surrogate pair leaves bytes that are not valid
// UTF-8.
DecodedText decoded_text(std::string bytes, const std::string& where);

// Views into `text`, cut at LF, CRLF and, unless told otherwise, at a CR alone. Nothing else ends a line: not
// U+2028, not U+0085, not a form feed. What follows the last line end is a line when it is not empty.
std::vector<std::string_view> split_lines(std::string_view text, bool cut_at_lone_cr = true);

}  // namespace glassformer
