// Text for other programs' eyes: figures, captions, tables, messages.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// The text on one line of valid UTF-8 that XML, PDF, JSON and a terminal take: line ends and tabs become a
// blank each; what stands for no sign (bytes that are not UTF-8, control characters, noncharacters) becomes
// U+FFFD. All else stays as it is.
std::string printable(std::string_view text);

}  // namespace glassformer
