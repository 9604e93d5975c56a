#include "app/lessons/lesson.h"

namespace glassformer {

const std::string& LessonText::in(const std::string& language) const {
  const auto found = translated.find(language);
  return found != translated.end() ? found->second : plain;
}

std::vector<SceneLine> Lesson::scene_of(std::size_t page) const {
  std::vector<SceneLine> lines = scene;
  for (std::size_t i = 0; i <= page && i < pages.size(); ++i)
    lines.insert(lines.end(), pages[i].scene.begin(), pages[i].scene.end());
  return lines;
}

std::vector<SceneLine> Lesson::revealed_scene_of(std::size_t page) const {
  std::vector<SceneLine> lines = scene_of(page);
  if (page < pages.size()) lines.insert(lines.end(), pages[page].reveal.begin(), pages[page].reveal.end());
  return lines;
}

}  // namespace glassformer
