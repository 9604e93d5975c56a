// The quiet first screen: a field for a sentence, the links of one head, and the ways on.
#pragma once

#include <optional>
#include <string>

#include "app/panels/panel_input.h"
#include "app/panels/sentence_bar.h"
#include "app/panels/start_scene.h"

namespace glassformer {

// A way on, as a large button: "Lesson 1, five minutes".
struct StartWay {
  std::string title, words, key;
};
// The next lesson that is not done; all done: the list of them.
StartWay lesson_way(LessonGuide& lessons, const Settings& settings);
// Of those that come with the program the first that is not done, by its number in the list from 0.
std::optional<std::size_t> next_lesson(LessonGuide& lessons, const Settings& settings);

// As Ctrl+D and --text say it: the sentence, its translation, a line a word, the ways on with their keys.
std::string first_screen_words(const PanelInput& in);

class StartPage {
 public:
  enum class Way { none, lesson, watch, heads };
  // What was chosen in this frame. `taken`: of the stage, by the notices at its top.
  Way draw(ui::Ui& ui, const PanelInput& in, const Rect& stage, float taken, SentenceBar& sentence);
};

}  // namespace glassformer
