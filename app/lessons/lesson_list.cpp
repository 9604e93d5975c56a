#include "app/lessons/lesson_list.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/session/paths.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr long kMostBytes = 1'000'000;
constexpr std::size_t kMostLessons = 200;  // of a folder

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end;
       !failed && each != end && files.size() < kMostLessons; each.increment(failed))
    if (each->path().extension() == ".lesson" && each->is_regular_file(failed))
      files.push_back(each->path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace

LessonFile lesson_of_file(const std::string& file) {
  return read_lesson(read_unpacked(file, kMostBytes));
}

std::vector<ListedLesson> listed_lessons() {
  std::vector<ListedLesson> lessons;
  const auto add = [&](const fs::path& folder, bool own) {
    for (const std::string& file : files_of(folder)) {
      try {
        lessons.push_back({file, lesson_of_file(file), own});
      } catch (const Error&) {
        // Not to be read: nothing to list.
      }
    }
  };
  add(resolved("assets/lessons"), false);
  add(runs_folder().parent_path() / "lessons", true);
  return lessons;
}

}  // namespace glassformer
