// One spelling for letters with marks. "é" can be written as one code point, or as "e" and a combining
// accent: the eye sees no difference, a vocabulary would. Text is brought to the composed form (Unicode's
// NFC, for marks in their usual order), so that both are the same piece.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

char32_t composed(char32_t letter, char32_t mark);  // 0 when the two do not compose
std::string composed(std::string_view text);

}  // namespace glassformer
