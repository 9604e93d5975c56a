// What somebody answers, read from what they typed or clicked, and whether it is right.
#pragma once

#include <string>

#include "app/lessons/lesson.h"
#include "app/lessons/value.h"

namespace glassformer {

// A number ("35,9", "−0.5", "1 000"), one of the choices, or a word; where `answer` was found among words,
// the place of that word among them. Throws Mismatch.
Value given_answer(const LessonQuestion& asked, const std::string& typed, const Value& answer);
// A number within the question's tolerance, the same word, the same place or one where the same word is.
bool is_right(const LessonQuestion& asked, const Value& given, const Value& answer);

}  // namespace glassformer
