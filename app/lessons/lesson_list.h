// The lessons that there are: those that come with the program, and a teacher's own.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson_reader.h"

namespace glassformer {

struct ListedLesson {
  std::string file;
  LessonFile read;
  bool own = false;  // a teacher's, in $XDG_DATA_HOME/glassformer/lessons
};

// By their file names, which begin with a number; the teacher's behind the others. What cannot be read is
// left out, what has errors is not.
std::vector<ListedLesson> listed_lessons();

// Of one file. Throws Error.
LessonFile lesson_of_file(const std::string& file);

}  // namespace glassformer
