// Values of Scene lines that must be quoted: with blanks at their ends, marks, line ends.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// In quotation marks; a mark, a backslash, a line's end and whatever is no text with a backslash before it.
std::string as_quoted(std::string_view text);
std::string quoted_where_blank(const std::string& text);
// What is in the quotation marks that `text` begins with, which are taken from it. Throws Mismatch.
std::string take_quoted(std::string_view& text);

}  // namespace glassformer
