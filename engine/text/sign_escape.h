// Signs that sentencepiece keeps for itself, in text that holds them: U+2581 (its blank), U+2585 (its unknown
// character, whose sentences it does not learn from) and "<s>", "</s>", "<unk>", "<pad>" (whose letters it
// does not learn). A private character replaces them on the library's side, so that they come back as
// they were.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// The replacing characters: of U+2581, of U+2585, and of the "<" that begins a special token's name.
constexpr std::string_view kBlankStandIn = "\xF4\x8F\x96\x81";    // U+10F581
constexpr std::string_view kUnknownStandIn = "\xF4\x8F\x96\x85";  // U+10F585
constexpr std::string_view kBracketStandIn = "\xF4\x8F\x80\xBC";  // U+10F03C

// What a model knows: without a character for a sign, the sign goes to the library unchanged.
struct SignEscapes {
  bool blank = true, unknown = true, bracket = true;
};

// Text that holds a private character of these itself gets U+FFFD for it.
std::string escaped_signs(std::string text, const SignEscapes& escapes = {});
std::string unescaped_signs(std::string text);

}  // namespace glassformer
