// The card's own words in the language in which a lesson is read.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// English where there is no such language, or no translation of these words.
std::string lesson_words(std::string_view english, std::string_view language);
// Of what is no answer: "expected a number, got “abc”".
std::string lesson_trouble(std::string_view english, std::string_view language);

}  // namespace glassformer
