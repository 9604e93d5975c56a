// The lessons that there are: those that come with the program, and a teacher's own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/lesson_reader.h"

namespace glassformer {

struct ListedLesson {
  std::string file;
  LessonFile read;
  bool own = false;  // a teacher's, in own_lessons()
  std::filesystem::file_time_type written = {};
  bool alone = false;  // opened by its path, in no folder of lessons

  std::string name() const { return std::filesystem::path(file).filename().string(); }
};

inline constexpr long kMostLessonBytes = 1'000'000;  // of a file

std::filesystem::path own_lessons();  // $XDG_DATA_HOME/glassformer/lessons

// By their file names, which begin with a number; the teacher's behind the others. What cannot be read is
// left out, what has errors is not.
std::vector<ListedLesson> listed_lessons();

// Those that were written since are read again, new ones join; true when anything is different.
bool reread(std::vector<ListedLesson>& lessons);

// The lesson's file copied among the teacher's own, under a name that is free; returns where. Throws Error.
std::string copied_lesson(const ListedLesson& lesson);

// Of one file. Throws Error.
LessonFile lesson_of_file(const std::string& file);

}  // namespace glassformer
