// A lesson's page in a lecture, on one screen: the question, one line, the picture, what may be answered and
// the answer, each in its own band that stays where it is.
#pragma once

#include <string>

#include "app/lessons/taken_lesson.h"
#include "app/panels/lecture_training.h"
#include "app/panels/panel_input.h"
#include "app/ui/ui.h"

namespace glassformer {

// Effective pixels. On 1024 x 768: head 56 px high, picture 174 to 600, answer to 672, foot 96.
struct LectureBands {
  Rect head, question, line, picture, answer, foot;
};
LectureBands lecture_bands(Point window);

// Digits answer, A reveals, before the view hears of them.
void take_lecture_keys(ui::Ui& ui, TakenLesson& lesson);
// How many digits answer this page.
std::size_t lecture_offers(const TakenLesson& lesson);
// A keycap with its left edge in the middle of a line; returns how wide.
float lecture_key(Canvas& canvas, const Theme& theme, Point at, const std::string& name, bool filled);

// All but head and foot.
void draw_lecture_page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const LectureBands& bands,
                       LectureTraining& training);

}  // namespace glassformer
