// The lines of a .lesson file: a keyword and its value, continued by indented lines; "#" begins a remark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct LessonLine {
  int number = 0;        // in the file, from 1
  std::string keyword;   // "ask"
  std::string language;  // of "ask.fr"; empty: the lesson's own
  std::string value;     // without blanks at its ends
};

std::vector<LessonLine> lesson_lines(std::string_view text);

// The parts between bars: "lower | higher".
std::vector<std::string> between(std::string_view text, char separator);

}  // namespace glassformer
