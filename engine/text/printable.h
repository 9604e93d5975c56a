// Text for other programs' eyes: figures, captions, tables, messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glassformer {

// The text on one line of valid UTF-8 that XML, PDF, JSON and a terminal take: line ends and tabs become a
// blank each; what is no sign (bytes that are not UTF-8, control characters, noncharacters) becomes
// U+FFFD. All else stays unchanged.
std::string printable(std::string_view text);

// A message as shown: printable, and of at most kMostMessageLetters. What is quoted in it (“…”, "…")
// is cut first, the longest before the others; then its middle, so that where it happened and what to do
// stay.
constexpr std::size_t kMostMessageLetters = 280;  // beside the program's name before it
std::string message_text(std::string_view text);

}  // namespace glassformer
