// The card's own words in the language in which a lesson is read.
#pragma once

#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace glassformer {

// English where there is no such language, or no translation of these words.
std::string lesson_words(std::string_view english, std::string_view language);
// An answer as it is told: a number as it is, a choice in the language, words in quotation marks.
std::string lesson_given(const LessonQuestion& asked, const std::string& given, const std::string& language);
// Of what is no answer: "expected a number, got “abc”".
std::string lesson_trouble(std::string_view english, std::string_view language);

}  // namespace glassformer
