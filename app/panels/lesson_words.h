// The card's own words in the language in which a lesson is read.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// English where there is no such language, or no translation of these words.
std::string lesson_words(std::string_view english, std::string_view language);
// In the quotation marks of the language; what has some of its own stays as it is.
std::string lesson_quoted(const std::string& words, std::string_view language);
// Of what is no answer: "expected a number, got “abc”".
std::string lesson_trouble(std::string_view english, std::string_view language);

}  // namespace glassformer
