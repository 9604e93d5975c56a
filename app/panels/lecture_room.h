// What a lesson asks of the room in lecture mode: the question, what the page says, what may be answered, and
// the answer.
#pragma once

#include <string>

#include "app/lessons/taken_lesson.h"
#include "app/ui/ui.h"

namespace glassformer {

inline constexpr float kWideLecture = 760;  // px from which on what may be answered stands beside the picture

// Digits answer, A reveals, before the view hears of them.
void take_lecture_keys(ui::Ui& ui, TakenLesson& lesson);
// Digits answer this page.
bool lecture_offers(const TakenLesson& lesson);
// A keycap with its left edge in the middle of a line; returns how wide.
float lecture_key(Canvas& canvas, const Theme& theme, Point at, const std::string& name, bool filled);

std::string lecture_question(const TakenLesson& lesson);
float lecture_question_height(ui::Ui& ui, const TakenLesson& lesson, float width);
float lecture_words_height(ui::Ui& ui, const TakenLesson& lesson, float width);
// Each draws from the top of `rect` and returns how much of its height it took.
float draw_lecture_question(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect);
// What the page says; once there is an answer, what is told of that.
float draw_lecture_words(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect);
// What may be answered in lines; once it is known the answer, unless the words name it.
float draw_lecture_lines(ui::Ui& ui, TakenLesson& lesson, const Rect& rect);
// The same as a column beside the picture, with the engine's numbers.
void draw_lecture_column(ui::Ui& ui, TakenLesson& lesson, const Rect& rect);

}  // namespace glassformer
