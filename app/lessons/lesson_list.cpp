#include "app/lessons/lesson_list.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/session/paths.h"
#include "engine/files/atomic_file.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

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
  return read_lesson(read_unpacked(file, kMostLessonBytes));
}

fs::path own_lessons() {
  return runs_folder().parent_path() / "lessons";
}

namespace {

// Those of `known` that were not written since are taken over; the others are read. What is in no folder
// of lessons stays where it can be read.
std::vector<ListedLesson> listed_now(const std::vector<ListedLesson>& known) {
  std::vector<ListedLesson> lessons;
  const auto add_file = [&](const std::string& file, bool own) {
    std::error_code failed;
    const fs::file_time_type written = fs::last_write_time(file, failed);
    const auto before = std::ranges::find(known, file, &ListedLesson::file);
    if (before != known.end() && before->written == written) return lessons.push_back(*before);
    try {
      lessons.push_back({file, lesson_of_file(file), own, written});
    } catch (const Error&) {
      // Not to be read: nothing to list.
    }
  };
  const auto add = [&](const fs::path& folder, bool own) {
    for (const std::string& file : files_of(folder)) add_file(file, own);
  };
  add(resolved("assets/lessons"), false);
  add(resolved("assets/how-to"), true);
  add(own_lessons(), true);
  for (const ListedLesson& before : known)
    if (before.alone && std::ranges::find(lessons, before.file, &ListedLesson::file) == lessons.end()) {
      add_file(before.file, true);
      if (!lessons.empty() && lessons.back().file == before.file) lessons.back().alone = true;
    }
  return lessons;
}

}  // namespace

std::vector<ListedLesson> listed_lessons() {
  return listed_now({});
}

bool reread(std::vector<ListedLesson>& lessons) {
  std::vector<ListedLesson> now = listed_now(lessons);
  const auto same = [](const ListedLesson& a, const ListedLesson& b) {
    return a.file == b.file && a.written == b.written;
  };
  if (std::ranges::equal(now, lessons, same)) return false;
  lessons = std::move(now);
  return true;
}

std::string copied_lesson(const ListedLesson& lesson) {
  constexpr int kMostCopies = 1000;
  const std::string text = read_unpacked(lesson.file, kMostLessonBytes);
  create_folder(own_lessons().string());
  const std::string stem = "my-" + fs::path(lesson.file).stem().string();
  for (int i = 1; i <= kMostCopies; ++i) {
    const fs::path path = own_lessons() / (stem + (i > 1 ? "-" + std::to_string(i) : "") + ".lesson");
    std::error_code failed;
    if (fs::exists(fs::symlink_status(path, failed))) continue;
    write_atomically(path.string(), text);
    return path.string();
  }
  throw Error(own_lessons().string(), "there are too many copies of this lesson");
}

}  // namespace glassformer
