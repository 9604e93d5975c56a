// What the pages of a lesson's card have in common.
#pragma once

#include <string>
#include <string_view>

#include "app/canvas/canvas.h"
#include "app/lessons/taken_lesson.h"
#include "app/panels/lesson_words.h"
#include "app/ui/ui.h"

namespace glassformer {

// The card's words in one language.
struct Saying {
  std::string_view language;
  std::string operator()(std::string_view english) const { return lesson_words(english, language); }
};

// How far the training of the lesson's page is, and the loss of every step, which is not shown before what is
// asked is predicted; returns the height.
float lesson_trainings(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect);

// A line below y; returns where the next part begins.
float lesson_divider(Canvas& canvas, const Theme& t, const Rect& rect, float y);

}  // namespace glassformer
