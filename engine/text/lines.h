// From the bytes of a text file to its lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct DecodedText {
  std::string text;                // UTF-8, no byte order mark; where the bytes were wrong they still are
  std::vector<std::string> notes;  // "read as UTF-16 (little-endian)"
  bool whole = true;               // false: the beginning of the file, up to the end of a line
};

// Throws Error when files cannot be read in an encoding of that name: "" (UTF-8, or what a byte order mark
// says), "utf-8", "utf-16le", "utf-16be", "windows-1252" and "latin-1" are known.
void check_encoding(const std::string& name);

// Takes off a byte order mark and turns UTF-16 with one into UTF-8, whatever `encoding` says; without a mark
// the bytes are read in that encoding. Bytes that are UTF-8 past ASCII already are not read as Windows-1252.
// UTF-16 without a mark (and not asked for) and UTF-32 are an Error that says how to read or save the file. A
// lone half of a surrogate pair, and a byte that Windows-1252 does not use, leave bytes that are not valid
// UTF-8.
DecodedText decoded_text(std::string bytes, const std::string& where, const std::string& encoding = {});

// What has a zero in one or more of every four bytes: "UTF-16LE", "UTF-16BE", "UTF-32LE" or "UTF-32BE", by
// where the zeros are in Latin text; "UTF-32" with a byte order mark; empty: none of them.
std::string wide_encoding(std::string_view bytes);

// Views into `text`, cut at LF, CRLF, CR CR LF (of a file that was converted twice) and, unless asked
// otherwise, at a CR alone. Nothing else ends a line: not U+2028, not U+0085, not a form feed. What follows
// the last line end is a line when it is not empty.
std::vector<std::string_view> split_lines(std::string_view text, bool cut_at_lone_cr = true);

}  // namespace glassformer
