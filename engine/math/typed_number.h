// Numbers as people type them, on the command line and in the window alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace glassformer {

// ".1", "+20", "1e3", "020", "-5": digits with at most one point, sign and exponent, blanks at the ends
// aside. Nothing when it is no such number, or too large for one.
std::optional<double> typed_number(std::string_view text);

// The same where only whole numbers will do: "1e3" and "20.0" are, "2.5" is not. Digits alone are taken
// exactly, all of 64 bits; other spellings up to 2^53.
std::optional<std::int64_t> typed_whole(std::string_view text);
std::optional<std::uint64_t> typed_unsigned(std::string_view text);

}  // namespace glassformer
