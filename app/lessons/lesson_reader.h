// From the text of a .lesson file to a Lesson, and all that is wrong with it at once.
#pragma once

#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace glassformer {

struct LessonFile {
  Lesson lesson;                    // what could be read
  std::vector<LessonError> errors;  // in the order of their lines
};

// Never throws for what is in the bytes, whatever that is. UTF-16 with a byte order mark is read; another
// encoding than UTF-8 is the one error.
LessonFile read_lesson(std::string_view bytes);

// The text of a file of lines, be it UTF-8 or UTF-16 with its mark; or why it is none, without its bytes.
std::optional<LessonError> decode_lines(std::string_view bytes, std::string& text);

}  // namespace glassformer
