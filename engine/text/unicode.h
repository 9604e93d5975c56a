// Code points, blanks and letter case: what the tokenizers, the corpus readers and BLEU need of Unicode, and
// no more.
//
// A string of the program is UTF-8: a code point takes one to four bytes. Bytes that form no code point
// decode as U+FFFD, the replacement character, so that every function here takes any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

constexpr char32_t kReplacement = 0xFFFD;

// The code point that starts at `position` (< text.size()), which moves behind it. A wrong sequence gives
// U+FFFD and moves over its longest valid beginning, at least one byte (the practice that the Unicode
// standard recommends).
char32_t next_code_point(std::string_view text, std::size_t& position);

std::vector<char32_t> code_points(std::string_view text);
void append_utf8(std::string& text, char32_t code_point);  // surrogates and values past U+10FFFF: U+FFFD
std::string to_utf8(const std::vector<char32_t>& code_points);

// Where the first byte is that breaks UTF-8 (overlong forms and surrogates too), or npos when all is
// well.
std::size_t first_invalid_utf8(std::string_view text);

// A space in running text, from U+0020 and tab to the no-break, thin and ideographic ones. Line ends (LF, CR,
// VT, FF, U+0085, U+2028, U+2029) count as blanks too: inside a line they separate words.
bool is_blank(char32_t code_point);

// A letter of any script, or a mark or joiner that belongs to one; digits, signs and blanks are none. Past
// ASCII it knows the signs of the scripts in wide use and takes the rest for letters.
bool is_letter(char32_t code_point);

char32_t to_lower(char32_t code_point);       // where lower case is one code point
std::string to_lower(std::string_view text);  // also İ (two code points) and the final sigma of a Greek word

// Cut at blanks, none of which are kept. No empty words.
std::vector<std::string> split_words(std::string_view text);
// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace glassformer
